#include "compiler/ir/trace_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {
namespace {

class Tracer {
 public:
  Tracer(const Graph& graph, std::span<const NodeId> outputs, std::span<const double> inputs)
      : graph_(graph), value_(graph.size()) {
    const std::vector<bool> live = live_nodes(graph, outputs);
    Graph with_parts = graph;  // every value of every bundle
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> owners;
    const auto ask = [&](NodeId node, std::uint32_t owner) {
      nodes.push_back(node);
      owners.push_back(owner);
    };
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      if (!live[i]) continue;
      if (graph.type({i}) != Type::bundle) ask({i}, i);
      for (std::uint32_t k = 0; graph.type({i}) == Type::bundle && k < graph.parts({i}); ++k)
        ask(with_parts.part({i}, k), i);
    }
    const std::vector<double> values = evaluate<double>(with_parts, nodes, inputs);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (std::isfinite(value_[owners[k]])) value_[owners[k]] = values[k];
  }

  double value(NodeId id) const { return value_[id.index]; }
  bool finite(NodeId id) const { return std::isfinite(value(id)); }

  // Down from a node that is not finite, always to the operand that came first, until all of them are finite.
  NodeId source(NodeId id) const {
    for (;;) {
      NodeId first;
      for (const NodeId operand : influences(id))
        if (!finite(operand) && operand < first) first = operand;
      if (first == NodeId{}) return id;
      id = first;
    }
  }

  // The nearest place in the author's source: the node's own, else that of the latest operand that has one.
  SourceLocation location(NodeId id) const {
    std::vector<NodeId> pending{id};
    for (std::size_t k = 0; k < pending.size(); ++k) {
      if (graph_.node(pending[k]).where.line != 0) return graph_.node(pending[k]).where;
      auto operands = std::vector<NodeId>(graph_.operands(pending[k]).begin(), graph_.operands(pending[k]).end());
      std::ranges::sort(operands, std::greater{});
      pending.insert(pending.end(), operands.begin(), operands.end());
    }
    return {};
  }

  std::vector<NodeId> numbers(NodeId id) const {
    std::vector<NodeId> result;
    for (const NodeId operand : graph_.operands(id))
      if (graph_.type(operand) == Type::number) result.push_back(operand);
    return result;
  }

 private:
  // The operands that a node's value comes from. A truth value is never the cause: it is 0 or 1 whatever it compares.
  std::vector<NodeId> influences(NodeId id) const {
    const auto operands = graph_.operands(id);
    if (graph_.node(id).op == Op::select) return {operands[value(operands[0]) != 0 ? 1 : 2]};
    std::vector<NodeId> result;
    for (const NodeId operand : operands)
      if (graph_.type(operand) != Type::truth) result.push_back(operand);
    return result;
  }

  const Graph& graph_;
  std::vector<double> value_;  // of live nodes; of a bundle one of its values, one that is not finite if there is any
};

std::string joined(const std::vector<double>& values) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(values.size(), most); ++k)
    text += fmt::format("{}{:.6g}", k == 0 ? "" : k + 1 == values.size() ? " and " : ", ", values[k]);
  return values.size() > most ? text + ", ..." : text;
}

}  // namespace

std::optional<NonFinite> trace_nonfinite(const Graph& graph, std::span<const NodeId> outputs,
                                         std::span<const double> inputs) {
  const Tracer tracer(graph, outputs, inputs);
  const auto bad = std::ranges::find_if(outputs, [&](NodeId output) { return !tracer.finite(output); });
  if (bad == outputs.end()) return std::nullopt;

  NonFinite found;
  found.node = tracer.source(*bad);
  found.value = tracer.value(found.node);
  const Node& node = graph.node(found.node);
  if (node.op == Op::input) {
    found.text = fmt::format("input {}, which is {}", node.payload, found.value);
    return found;
  }
  for (const NodeId operand : tracer.numbers(found.node)) found.operands.push_back(tracer.value(operand));
  found.text = node.op == Op::div ? fmt::format("{:.6g} divided by {:.6g}", found.operands[0], found.operands[1])
                                  : fmt::format("{} of {}", describe(node.op).name, joined(found.operands));
  if (const SourceLocation where = tracer.location(found.node); where.line != 0) {
    found.file = graph.files()[where.file];
    found.line = where.line;
    found.derived = node.where.line == 0;
    found.text += fmt::format("{} {}:{}", found.derived ? " in a derivative of" : " at", found.file, found.line);
  }
  return found;
}

}  // namespace proxima::ir
