// CudaObjective: vectors and histories from and to the host.
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {

device::CudaVector CudaObjective::uploaded(std::span<const double> values) const {
  device::CudaVector result = vector();
  result.write(values);
  return result;
}

CudaHistory CudaObjective::zero_history() const {
  CudaHistory result;
  result.reserve(regions_.size());
  for (const auto& region : regions_) result.push_back(region.histories());
  return result;
}

CudaHistory CudaObjective::uploaded_history(std::span<const double> values) const {
  const std::vector<double> rows = rows_of(values);
  std::span<const double> left = rows;
  CudaHistory result = zero_history();
  for (auto& of_region : result)
    for (auto& history : of_region) {
      history.write(left.first(history.size()));
      left = left.subspan(history.size());
    }
  return result;
}

void CudaObjective::add_rows(std::span<const double> rows, std::span<double> to) const {
  for (const auto& region : regions_) {
    const std::size_t count = region.history_numbers();
    region.add(rows.first(count), to.first(region.kernels().history_size()));
    rows = rows.subspan(count);
    to = to.subspan(region.kernels().history_size());
  }
}

std::vector<double> CudaObjective::rows_of(std::span<const double> values) const {
  std::vector<double> result;
  for (const auto& region : regions_) {
    const std::size_t count = region.kernels().history_size();
    region.append_rows(values.first(count), result);
    values = values.subspan(count);
  }
  return result;
}

std::size_t CudaObjective::history_size() const {
  std::size_t result = 0;
  for (const auto& region : regions_) result += region.kernels().history_size();
  return result;
}

std::vector<double> CudaObjective::values_of(const CudaHistory& history) const {
  std::vector<double> rows, result(history_size());
  for (const auto& of_region : history)
    for (const auto& one : of_region) {
      rows.resize(rows.size() + one.size());
      one.read(std::span(rows).last(one.size()));
    }
  add_rows(rows, result);
  return result;
}

}  // namespace proxima::solve
