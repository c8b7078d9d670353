#include "compiler/derive/divided_difference.hpp"

#include <array>

#include "compiler/derive/divided_difference_rules.hpp"
#include "compiler/derive/paths.hpp"
#include "compiler/ir/operators.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {

using ir::NodeId;

std::vector<NodeId> divided_difference(ir::Graph& graph, std::span<const NodeId> outputs,
                                       std::span<const NodeId> inputs, std::span<const NodeId> moved,
                                       std::span<const NodeId> velocities, NodeId delta,
                                       std::span<const NodeId> still) {
  const auto at = [&](NodeId node) { return ir::Expression{&graph, node}; };
  const std::vector<bool> between = nodes_between(graph, inputs, outputs);
  std::vector<NodeId> image(between.size());  // of each node at the moved end
  for (std::uint32_t i = 0; i < image.size(); ++i) image[i] = {i};
  std::vector<Rate> rate(between.size());
  std::vector<bool> given(between.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    given[inputs[k].index] = true;
    image[inputs[k].index] = moved[k];
    if (!graph.is_constant(velocities[k], 0)) rate[inputs[k].index] = at(velocities[k]);
  }

  for (NodeId node : still) given[node.index] = true;

  for (std::uint32_t i = 0; i < between.size(); ++i) {
    if (!between[i] || given[i]) continue;
    const ir::Operator& row = ir::describe(graph.node({i}).op);
    const std::vector<NodeId> x(graph.operands({i}).begin(), graph.operands({i}).end());
    std::vector<NodeId> x_moved;
    bool moves = false;
    for (NodeId operand : x) {
      x_moved.push_back(image[operand.index]);
      moves = moves || rate[operand.index];
    }
    if (x == x_moved && !moves) continue;
    const QuotientRule rule = quotient_rule(row.op);
    if (rule == nullptr && row.result != ir::Type::truth)
      fail("the derivative needs a divided difference of {}, which has none: use invariants of the strain instead",
           row.name);
    image[i] = graph.apply(row.op, x_moved);
    // A value that is the same formula at both ends, as a product whose factors change places, does not move.
    if (rule == nullptr || image[i].index == i) continue;

    const auto value = [&](std::size_t k) { return Ends::Value{at(x[k]), at(x_moved[k]), rate[x[k].index]}; };
    Ends ends{.condition = {}, .a = {}, .b = {}, .from = at({i}), .to = at(image[i]), .delta = at(delta)};
    const std::size_t first = row.op == ir::Op::select ? 1 : 0;
    if (first == 1) ends.condition = value(0);
    ends.a = value(first);
    if (x.size() > first + 1) ends.b = value(first + 1);
    rate[i] = rule(ends);
  }

  std::vector<NodeId> result;
  for (NodeId output : outputs) {
    const Rate& of_output = rate[output.index];
    result.push_back(of_output ? of_output->node : graph.constant(0));
  }
  return result;
}

bool has_divided_difference(const ir::Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> inputs) {
  std::vector<bool> between = nodes_between(graph, inputs, outputs);
  for (NodeId input : inputs) between[input.index] = false;
  for (std::uint32_t i = 0; i < between.size(); ++i) {
    const ir::Op op = graph.node({i}).op;
    if (between[i] && quotient_rule(op) == nullptr && ir::describe(op).result != ir::Type::truth) return false;
  }
  return true;
}

}  // namespace proxima::derive
