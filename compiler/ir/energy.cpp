#include "compiler/ir/energy.hpp"

#include <algorithm>

namespace proxima::ir {
namespace {

// Calls visit(root) for each root, in one order.
template <class AnyEnergy, class Visit>
void for_each_root(AnyEnergy& energy, Visit visit) {
  visit(energy.density);
  for (auto& input : energy.inputs)
    for (auto& node : input.update) visit(node);
  if (!energy.projection) return;
  visit(energy.projection->weight);
  for (auto& node : energy.projection->closest) visit(node);
}

}  // namespace

std::uint32_t Energy::strain_components() const {
  switch (measure) {
    case Measure::deformation_gradient:
      return 9;
    case Measure::surface_deformation_gradient:
      return 6;
    case Measure::edge_vector:
      return 3;
    case Measure::node_positions:
      return 3 * stencil;
  }
  return 0;
}

std::uint32_t Energy::input_slot(std::size_t k) const {
  std::uint32_t slot = parameter_slot(parameters.size());
  for (std::size_t i = 0; i < k; ++i) slot += inputs[i].components;
  return slot;
}

std::uint32_t Energy::slots() const { return input_slot(inputs.size()); }

const Input* Energy::find(InputKind kind) const {
  const auto found = std::ranges::find(inputs, kind, &Input::kind);
  return found == inputs.end() ? nullptr : &*found;
}

std::vector<NodeId> roots_of(const Energy& energy) {
  std::vector<NodeId> roots;
  for_each_root(energy, [&](NodeId root) { roots.push_back(root); });
  return roots;
}

Energy with_roots(const Energy& energy, Graph graph, const std::vector<NodeId>& roots) {
  Energy result = energy;
  result.graph = std::move(graph);
  std::size_t next = 0;
  for_each_root(result, [&](NodeId& root) { root = roots.at(next++); });
  return result;
}

}  // namespace proxima::ir
