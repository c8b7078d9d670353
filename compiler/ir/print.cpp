#include "compiler/ir/print.hpp"

#include <fmt/format.h>

#include <vector>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {

std::string to_text(const Graph& graph, std::span<const NodeId> roots,
                    const std::function<std::string(std::uint32_t)>& input_name) {
  const std::vector<bool> live = live_nodes(graph, roots);
  std::vector<std::uint32_t> number(graph.size());
  std::uint32_t next = 0;
  std::string text;
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (!live[i]) continue;
    const Node& node = graph.node({i});
    number[i] = next++;
    text += fmt::format("%{} = ", number[i]);
    if (node.op == Op::constant) {
      text += fmt::format("{}", graph.constant_value({i}));
    } else if (node.op == Op::input) {
      text += input_name(static_cast<std::uint32_t>(node.payload));
    } else {
      text += describe(node.op).name;
      if (node.op == Op::part) text += fmt::format(" {} of", node.payload);
      for (NodeId operand : graph.operands({i})) text += fmt::format(" %{}", number[operand.index]);
    }
    if (node.where.line != 0) text += fmt::format("  ; {}:{}", graph.files()[node.where.file], node.where.line);
    text += '\n';
  }
  text += "return";
  for (NodeId root : roots) text += fmt::format(" %{}", number[root.index]);
  return text + '\n';
}

std::string input_name(const Energy& energy, std::uint32_t slot) {
  const std::uint32_t strain = energy.strain_components();
  if (slot < strain) {
    switch (energy.measure) {
      case Measure::deformation_gradient:
        return fmt::format("F{}{}", slot / 3, slot % 3);
      case Measure::surface_deformation_gradient:
        return fmt::format("F{}{}", slot / 2, slot % 2);
      case Measure::edge_vector:
        return fmt::format("edge{}", slot);
      case Measure::node_positions:
        return fmt::format("x{}{}", slot / 3, slot % 3);
    }
  }
  if (slot < energy.input_slot(0)) return energy.parameters[slot - strain].name;
  std::size_t k = 0;
  while (slot >= energy.input_slot(k + 1)) ++k;
  return fmt::format("{}[{}]", energy.inputs.at(k).name, slot - energy.input_slot(k));
}

std::string to_text(const Energy& energy) {
  std::string text = fmt::format("energy {} ({})\n", energy.name, energy.file);
  for (const Parameter& p : energy.parameters)
    text += fmt::format("parameter {} [{}] = {}, {} < {} < {}\n", p.name, p.unit.empty() ? "1" : p.unit,
                        p.default_value, p.lower, p.name, p.upper);
  for (const Input& input : energy.inputs) text += fmt::format("input {} {}\n", input.name, input.components);
  return text + to_text(energy.graph, roots_of(energy), [&](std::uint32_t slot) { return input_name(energy, slot); });
}

std::string to_text(const Kernel& kernel) {
  static constexpr const char* access_names[] = {"uniform", "element", "nodal"};
  std::string text = fmt::format("kernel {}, {} corners\n", kernel.name, kernel.corners);
  std::vector<std::string> names;
  for (const Field& field : kernel.inputs) {
    text += fmt::format("in  {} {} {}\n", field.name, access_names[static_cast<int>(field.access)], field.components);
    for (std::uint32_t k = 0; k < kernel.scalars(field); ++k) names.push_back(fmt::format("{}[{}]", field.name, k));
  }
  for (const Field& field : kernel.outputs)
    text += fmt::format("out {} {} {}\n", field.name, access_names[static_cast<int>(field.access)], field.components);
  return text + to_text(kernel.graph, kernel.results, [&](std::uint32_t slot) { return names.at(slot); });
}

}  // namespace proxima::ir
