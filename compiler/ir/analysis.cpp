#include "compiler/ir/analysis.hpp"

#include <functional>
#include <map>
#include <stdexcept>

#include "compiler/ir/operators.hpp"

namespace proxima::ir {
namespace {

NodeId id_of(std::size_t index) { return {static_cast<std::uint32_t>(index)}; }

// Operands of nodes in `ends` do not count.
std::vector<bool> live_nodes_above(const Graph& graph, std::span<const NodeId> roots,
                                   const std::map<NodeId, NodeId>& ends) {
  std::vector<bool> live(graph.size());
  for (NodeId root : roots) live[root.index] = true;
  for (std::size_t i = graph.size(); i-- > 0;)
    if (live[i] && !ends.contains(id_of(i)))
      for (NodeId operand : graph.operands(id_of(i))) live[operand.index] = true;
  return live;
}

std::vector<NodeId> rebuild(const Graph& source, std::span<const NodeId> roots, Graph& target,
                            const std::function<NodeId(std::uint32_t)>& input,
                            const std::map<NodeId, NodeId>& replaced) {
  const std::vector<bool> live = live_nodes_above(source, roots, replaced);
  std::vector<std::uint32_t> files;
  for (const std::string& file : source.files()) files.push_back(target.intern_file(file));

  std::vector<NodeId> image(source.size());
  std::vector<NodeId> operands;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!live[i]) continue;
    const Node& node = source.node(id_of(i));
    if (const auto found = replaced.find(id_of(i)); found != replaced.end()) {
      image[i] = found->second;
    } else if (node.op == Op::constant) {
      image[i] = target.constant(source.constant_value(id_of(i)));
    } else if (node.op == Op::input) {
      image[i] = input(static_cast<std::uint32_t>(node.payload));
    } else {
      operands.clear();
      for (NodeId operand : source.operands(id_of(i))) operands.push_back(image[operand.index]);
      image[i] = target.apply_like(source, id_of(i), operands, {files[node.where.file], node.where.line});
    }
  }
  std::vector<NodeId> result;
  for (NodeId root : roots) result.push_back(image[root.index]);
  return result;
}

}  // namespace

std::vector<bool> live_nodes(const Graph& graph, std::span<const NodeId> roots) {
  return live_nodes_above(graph, roots, {});
}

std::vector<bool> dependent_nodes(const Graph& graph, std::span<const NodeId> sources) {
  std::vector<bool> dependent(graph.size());
  for (NodeId source : sources) dependent[source.index] = true;
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (NodeId operand : graph.operands(id_of(i)))
      if (dependent[operand.index]) dependent[i] = true;
  return dependent;
}

namespace {

void add_node(const Graph& graph, NodeId id, OperationCount& count) {
  const Operator& row = describe(graph.node(id).op);
  if (row.form == Form::leaf || row.form == Form::part) return;
  if (row.form == Form::loop) {
    const Loop& loop = graph.loop_of(id);
    std::vector<NodeId> roots = loop.next;
    roots.push_back(loop.again);
    const OperationCount body = count_operations(*loop.body, roots);
    count.operations += body.operations;
    count.cost += body.cost;
    return;
  }
  ++count.operations;
  count.cost += row.cost;
}

}  // namespace

OperationCount count_operations(const Graph& graph, std::span<const NodeId> roots) {
  const std::vector<bool> live = live_nodes(graph, roots);
  OperationCount count;
  for (std::size_t i = 0; i < graph.size(); ++i)
    if (live[i]) add_node(graph, id_of(i), count);
  return count;
}

OperationCount count_operations(const Kernel& kernel) {
  const Graph& graph = kernel.graph;
  std::vector<bool> varies(graph.size());
  std::vector<bool> slot_varies;
  for (const Field& field : kernel.inputs)
    slot_varies.insert(slot_varies.end(), kernel.scalars(field), field.access != Access::uniform);

  const std::vector<bool> live = live_nodes(graph, kernel.results);
  OperationCount count;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.node(id_of(i));
    if (node.op == Op::input) varies[i] = slot_varies.at(node.payload);
    for (NodeId operand : graph.operands(id_of(i)))
      if (varies[operand.index]) varies[i] = true;
    if (live[i] && varies[i]) add_node(graph, id_of(i), count);
  }
  return count;
}

std::vector<NodeId> transplant(const Graph& source, std::span<const NodeId> roots, Graph& target,
                               std::span<const NodeId> inputs) {
  const auto given = [&](std::uint32_t slot) {
    if (slot >= inputs.size()) throw std::logic_error("transplant: no node given for input " + std::to_string(slot));
    return inputs[slot];
  };
  return rebuild(source, roots, target, given, {});
}

std::vector<NodeId> transplant(const Graph& source, std::span<const NodeId> roots, Graph& target,
                               const std::map<NodeId, NodeId>& replaced) {
  return rebuild(source, roots, target, [&](std::uint32_t slot) { return target.input(slot); }, replaced);
}

}  // namespace proxima::ir
