// Histories of a region on a GPU: what they are there, and the update at a step's end.
#include "runtime/solve/region/cuda_region.hpp"

namespace proxima::solve {

CudaRegion::Histories CudaRegion::histories() const {
  Histories result;
  for (const auto& input : region_->energy().inputs)
    if (input.kind == ir::InputKind::history) result.push_back(rows(input.components));
  return result;
}

std::size_t CudaRegion::history_numbers() const {
  std::size_t result = 0;
  for (const device::CudaVector& history : history_) result += history.size();
  return result;
}

void CudaRegion::append_rows(std::span<const double> points, std::vector<double>& rows) const {
  const auto stride = static_cast<std::size_t>(stride_), items = static_cast<std::size_t>(items_);
  for (const device::CudaVector& history : history_) {
    const std::size_t components = history.size() / stride, first = rows.size();
    rows.resize(first + history.size());
    for (std::size_t item = 0; item < items; ++item)
      for (std::size_t c = 0; c < components; ++c) rows[first + c * stride + item] = points[item * components + c];
    points = points.subspan(items * components);
  }
}

void CudaRegion::add(std::span<const double> from_rows, std::span<double> points) const {
  const auto stride = static_cast<std::size_t>(stride_), items = static_cast<std::size_t>(items_);
  for (const device::CudaVector& history : history_) {
    const std::size_t components = history.size() / stride;
    for (std::size_t item = 0; item < items; ++item)
      for (std::size_t c = 0; c < components; ++c) points[item * components + c] += from_rows[c * stride + item];
    from_rows = from_rows.subspan(history.size());
    points = points.subspan(items * components);
  }
}

void CudaRegion::enter_history(const Histories& history) {
  for (std::size_t k = 0; k < history_.size(); ++k) device::copy(history[k], history_[k]);
}

void CudaRegion::follow_history() {
  for (std::size_t k = 0; k < history_.size(); ++k) history_[k].array().copy(field(history_names_[k]));
}

void CudaRegion::update_history(const At& at, Histories& result) {
  if (result.empty()) return;
  const Outputs& outputs = run_to_rows(derive::Quantity::history_update, at, {});
  for (std::size_t k = 0; k < result.size(); ++k) device::copy(outputs.at(history_names_[k]), result[k]);
}

void CudaRegion::add_histories(const Outputs& outputs, Histories& history) const {
  for (std::size_t k = 0; k < history.size(); ++k) device::add_scaled(history[k], 1, outputs.at(history_names_[k]));
}

}  // namespace proxima::solve
