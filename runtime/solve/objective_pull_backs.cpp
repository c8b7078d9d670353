// Objective: derivatives by what a step is given.
#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective_state.hpp"

namespace proxima::solve {
namespace {

// Those of a damped region and of its dissipation's own parameters: the same, and last its coefficient.
RegionGradient with_damping(const RegionGradient& total) {
  RegionGradient result;
  for (const auto& values : total.parameters) result.parameters.emplace_back(values.size());
  result.parameters.emplace_back(total.stiffness_damping.size());
  for (const auto& keys : total.signals) result.signals.emplace_back(keys.size());
  result.signals.emplace_back();
  result.driven.resize(result.parameters.size());
  for (const auto& field : total.directions) result.directions.emplace_back(field.size());
  return result;
}

void add_with_damping(const RegionGradient& more, RegionGradient& total) {
  for (std::size_t k = 0; k < total.parameters.size(); ++k) {
    device::add_scaled(total.parameters[k], 1, more.parameters[k]);
    device::add_scaled(total.signals[k], 1, more.signals[k]);
    total.driven[k] += more.driven[k];
  }
  device::add_scaled(total.stiffness_damping, 1, more.parameters.back());
  for (std::size_t k = 0; k < total.directions.size(); ++k)
    for (std::size_t e = 0; e < total.directions[k].size(); ++e)
      for (std::size_t i = 0; i < 3; ++i) total.directions[k][e][i] += more.directions[k][e][i];
}

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
  for (std::size_t r = 0; r < regions(); ++r) s.regions[r].add_pull_back(x, direction, total[r]);
  for (std::size_t k = 0; k < s.damped.size(); ++k) {
    RegionGradient more = with_damping(total[s.damped[k]]);
    s.regions[regions() + k].add_pull_back(x, direction, more);
    add_with_damping(more, total[s.damped[k]]);
  }
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
