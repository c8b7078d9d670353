// Objective: derivatives by what a step is given.
#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/solve/objective/objective_state.hpp"
#include "runtime/solve/region/damped_gradient.hpp"

namespace proxima::solve {
namespace {

// The part of each region of `all`, which has its regions' one after the other.
template <class Span>
std::vector<Span> by_region(const std::vector<RegionKernels>& regions, Span all) {
  std::vector<Span> result;
  for (const auto& region : regions) {
    result.push_back(all.first(region.history_size()));
    all = all.subspan(region.history_size());
  }
  return result;
}

}  // namespace

void Objective::add_pull_back(std::span<const double> x, std::span<const double> direction,
                              std::vector<RegionGradient>& total) const {
  State& s = *state_;
  for_each_gradient(s.damped, total,
                    [&](std::size_t r, RegionGradient& own) { s.regions[r].add_pull_back(x, direction, own); });
}

void Objective::require_rest_gradient() const {
  for (const auto& region : state_->regions)
    if (const auto why = region.no_rest_gradient(); !why.empty())
      fail("gradient by the rest shape: material '{}' has none: {}", region.name(), why);
}

void Objective::add_rest_pull_back(std::span<const double> x, std::span<const double> direction,
                                   std::span<double> y) const {
  require_rest_gradient();
  std::vector<double> rest;
  for (const auto& node : state_->mesh.nodes) rest.insert(rest.end(), node.begin(), node.end());
  for (auto& region : state_->regions) region.add_rest_pull_back(x, direction, rest, y);
}

void Objective::add_carried_pull_back(std::span<const double> x, std::span<const double> direction,
                                      std::span<double> previous, std::span<double> history) const {
  const auto parts = by_region(state_->regions, history);
  for (std::size_t r = 0; r < parts.size(); ++r)
    state_->regions[r].add_carried_pull_back(x, direction, previous, parts[r]);
}

void Objective::add_history_pull_back(std::span<const double> x, std::span<const double> bars,
                                      std::vector<RegionGradient>& total, std::span<double> y,
                                      std::span<double> previous, std::span<double> history,
                                      std::span<double> rest_shape) const {
  if (bars.empty()) return;
  const auto of_bars = by_region(state_->regions, bars);
  const auto of_history = by_region(state_->regions, history);
  for (std::size_t r = 0; r < regions(); ++r)
    state_->regions[r].add_history_pull_back(x, of_bars[r], total[r], y, previous, of_history[r], rest_shape);
}

void Objective::add_volume_pull_back(const std::vector<std::vector<double>>& bars, std::span<double> y) const {
  const State& s = *state_;
  for (std::size_t r = 0; r < regions(); ++r) {
    if (s.nodal_volume[r].nodes.empty()) continue;
    const auto& set = s.regions[r].set();
    const auto of_points = model::volume_pull_back(set.region(), set.rest(), s.lumping, s.nodal_volume[r], bars[r]);
    mesh::add_measure_pull_back(set.elements(), set.rest(), s.mesh.nodes, of_points, y);
  }
}

}  // namespace proxima::solve
