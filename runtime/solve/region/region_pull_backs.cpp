// RegionKernels: derivatives by what a step is given. compiler/derive says what each kernel computes.
#include <fmt/format.h>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/region/region.hpp"
#include "runtime/solve/region/strain.hpp"

namespace proxima::solve {

RegionGradient zero_gradient(const model::Region& region) {
  RegionGradient result;
  for (const auto& values : region.parameters) result.parameters.emplace_back(values.size());
  for (const auto& signal : region.signals) result.signals.emplace_back(signal.size());
  result.signals.resize(region.parameters.size());
  result.driven.resize(region.parameters.size());
  for (const auto& input : region.energy->inputs) {
    if (input.kind != ir::InputKind::direction) continue;
    const std::size_t k = result.directions.size();
    result.directions.emplace_back(region.directions.empty() ? 1 : region.directions[k].size());
  }
  result.stiffness_damping.resize(region.damping.stiffness.size());
  return result;
}

void RegionKernels::add_pull_back(std::span<const double> x, std::span<const double> direction, RegionGradient& total) {
  if (total.parameters.empty() && total.directions.empty()) return;
  add_values(run_to_fields(derive::Quantity::pull_back, {x, direction}), total);
}

void RegionKernels::add_values(const Fields& fields, RegionGradient& total) const {
  const auto count = static_cast<int>(total.parameters.size());
  for (int k = 0; k < count; ++k) {
    const auto& field = fields.at("parameters");
    std::vector<double> found(total.parameters[k].size());
    for (std::size_t item = 0; item < set_.items(); ++item)
      found[per_element_[k] ? item / set_.points() : 0] += set_.output(field, item, k, count);
    add_parameter(static_cast<std::size_t>(k), found, total);
  }
  std::size_t k = 0;
  for (const auto& input : energy_->inputs)
    if (input.kind == ir::InputKind::direction) {
      set_.add_direction_pull_back(k, fields.at(derive::field_name(input)), total.directions[k]);
      ++k;
    }
}

void RegionKernels::add_parameter(std::size_t k, std::span<const double> found, RegionGradient& total) const {
  if (driven_[k] != 0)
    total.driven[k] += found[0];
  else if (!signals_[k].empty())
    model::add_signal_pull_back(signals_[k], time_, found[0], total.signals[k]);
  else
    device::add_scaled(total.parameters[k], 1, found);
}

void RegionKernels::add_rest_pull_back(std::span<const double> x, std::span<const double> direction,
                                       std::span<const double> rest, std::span<double> y) {
  set_.set_own_coordinates();
  gather_.add(run_to_fields(derive::Quantity::rest_pull_back, {x, direction, rest}).at("rest"), y);
}

void RegionKernels::add_histories(const Fields& fields, std::span<double> history) const {
  std::size_t at = 0;
  for (const auto& input : energy_->inputs) {
    if (input.kind != ir::InputKind::history) continue;
    const int components = static_cast<int>(input.components);
    const auto& field = fields.at(derive::field_name(input));
    for (std::size_t item = 0; item < set_.items(); ++item)
      for (int c = 0; c < components; ++c) history[at++] += set_.output(field, item, c, components);
  }
}

void RegionKernels::add_carried_pull_back(std::span<const double> x, std::span<const double> direction,
                                          std::span<double> previous, std::span<double> history) {
  const bool has_previous = energy_->find(ir::InputKind::previous_strain) != nullptr;
  if (!has_previous && history.empty()) return;
  const Fields fields = run_to_fields(derive::Quantity::carried_pull_back, {x, direction});
  if (has_previous) gather_.add(fields.at("previous"), previous);
  add_histories(fields, history);
}

void RegionKernels::add_history_pull_back(std::span<const double> x, std::span<const double> bars,
                                          RegionGradient& total, std::span<double> y, std::span<double> previous,
                                          std::span<double> history, std::span<double> rest_shape) {
  if (bars.empty()) return;
  std::span<const double> rest = bars;
  for (const auto& input : energy_->inputs) {
    if (input.kind != ir::InputKind::history) continue;
    const std::size_t count = input.components * set_.items();
    set_.set_of_points("history_bar:" + input.name, rest.first(count), static_cast<int>(input.components));
    rest = rest.subspan(count);
  }
  const Fields fields = run_to_fields(derive::Quantity::history_pull_back, {x});
  gather_.add(fields.at("positions"), y);
  if (!rest_shape.empty()) add_rest_through_strain(x, fields.at("positions"), rest_shape);
  if (const auto found = fields.find("previous"); found != fields.end()) {
    gather_.add(found->second, previous);
    if (!rest_shape.empty()) add_rest_through_strain(previous_, found->second, rest_shape);
  }
  add_values(fields, total);
  add_histories(fields, history);
}

void RegionKernels::add_rest_through_strain(std::span<const double> x,
                                            const device::AlignedVector<double>& by_positions, std::span<double> y) {
  const int corners = set_.rest().corners, components = 3 * corners;
  device::AlignedVector<double> by_rest(by_positions.size());
  for (std::size_t item = 0; item < set_.items(); ++item) {
    const auto F = deformation_gradient(set_, item, x);
    for (int corner = 0; corner < corners; ++corner)
      for (int axis = 0; axis < 3; ++axis) {
        double& bar = by_rest[set_.tiling().at(item, 3 * corner + axis, components)];
        for (int i = 0; i < 3; ++i)
          bar -= F[3 * i + axis] * set_.output(by_positions, item, 3 * corner + i, components);
      }
  }
  gather_.add(by_rest, y);
}

std::string RegionKernels::no_rest_gradient() const {
  const bool solid = set_.rest().dimension == 3 && energy_->measure != ir::Measure::node_positions;
  if (history_size() > 0 && !solid)
    return fmt::format("its energy '{}' has a history, whose update is followed there in solids only", energy_->name);
  if (!set_.rest().frames.empty() && energy_->find(ir::InputKind::direction) != nullptr)
    return fmt::format("the directions of its energy '{}' turn with the rest shape of triangles", energy_->name);
  return "";
}

}  // namespace proxima::solve
