// CudaObjective: vectors and histories from and to the host.
#include "runtime/device/parallel.hpp"
#include "runtime/solve/cuda_objective.hpp"

namespace proxima::solve {

device::CudaVector CudaObjective::uploaded(std::span<const double> values) const {
  device::CudaVector result = vector();
  result.write(values);
  return result;
}

void CudaObjective::add(In from, std::span<double> to) const {
  std::vector<double> values(from.size());
  from.read(values);
  device::add_scaled(to, 1, values);
}

CudaHistory CudaObjective::zero_history() const {
  CudaHistory result;
  result.reserve(regions_.size());
  for (const auto& region : regions_) result.push_back(region.histories());
  return result;
}

CudaHistory CudaObjective::uploaded_history(std::span<const double> values) const {
  CudaHistory result = zero_history();
  for (std::size_t r = 0; r < result.size(); ++r) {
    const std::size_t count = regions_[r].kernels().history_size();
    regions_[r].write(values.first(count), result[r]);
    values = values.subspan(count);
  }
  return result;
}

void CudaObjective::add(const CudaHistory& from, std::span<double> to) const {
  std::vector<double> rows;
  for (const auto& of_region : from)
    for (const auto& history : of_region) {
      rows.resize(rows.size() + history.size());
      history.read(std::span(rows).last(history.size()));
    }
  add_rows(rows, to);
}

void CudaObjective::add_rows(std::span<const double> rows, std::span<double> to) const {
  for (const auto& region : regions_) {
    const std::size_t count = region.history_numbers();
    region.add(rows.first(count), to.first(region.kernels().history_size()));
    rows = rows.subspan(count);
    to = to.subspan(region.kernels().history_size());
  }
}

std::size_t CudaObjective::history_size() const {
  std::size_t result = 0;
  for (const auto& region : regions_) result += region.kernels().history_size();
  return result;
}

std::vector<double> CudaObjective::values_of(const CudaHistory& history) const {
  std::vector<double> result(history_size());
  add(history, result);
  return result;
}

}  // namespace proxima::solve
