// CudaObjective: derivatives by what a step is given.
#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/region/damped_gradient.hpp"

namespace proxima::solve {

CudaItemGradient CudaObjective::zero_item_gradient() const {
  CudaItemGradient result;
  result.reserve(regions_.size());
  for (const auto& region : regions_) result.push_back(region.zero_item_gradient());
  return result;
}

void CudaObjective::add(const CudaItemGradient& items, std::vector<RegionGradient>& total) const {
  for_each_gradient(damped_, total, [&](std::size_t r, RegionGradient& own) { regions_[r].add(items[r], own); });
}

void CudaObjective::add_pull_back(In x, In direction, std::vector<RegionGradient>& total,
                                  CudaItemGradient& items) const {
  for_each_gradient(damped_, total, [&](std::size_t r, RegionGradient& own) {
    regions_[r].add_pull_back({x, previous_}, direction, own, items[r]);
  });
}

void CudaObjective::add_rest_pull_back(In x, In direction, In rest, Out y) const {
  for (auto& region : regions_) region.add_rest_pull_back({x, previous_}, direction, rest, y);
}

void CudaObjective::add_carried_pull_back(In x, In direction, Out previous, CudaHistory& history) const {
  for (std::size_t r = 0; r < regions_.size(); ++r)
    regions_[r].add_carried_pull_back({x, previous_}, direction, previous, history[r]);
}

void CudaObjective::add_history_pull_back(In x, const CudaHistory& bars, std::vector<RegionGradient>& total,
                                          CudaItemGradient& items, Out y, Out previous, CudaHistory& history,
                                          device::CudaVector* rest_shape) const {
  for (std::size_t r = 0; r < total.size(); ++r)
    regions_[r].add_history_pull_back({x, previous_}, bars[r], total[r], items[r], y, previous, history[r], rest_shape);
}

void CudaObjective::add_full_hessian_vector(In x, In direction, Out y) const {
  for (auto& region : regions_) region.add_full_hessian_vector({x, previous_}, direction, y);
}

}  // namespace proxima::solve
