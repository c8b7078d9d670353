#include "compiler/ir/graph_bytes.hpp"

#include <memory>

#include "compiler/ir/operators.hpp"
#include "compiler/support/hash.hpp"

namespace proxima::ir {
namespace {

// Nodes that `roots` need, each after its operands, in the order a depth-first walk from the roots leaves them.
std::vector<NodeId> canonical_order(const Graph& graph, std::span<const NodeId> roots) {
  struct Visit {
    NodeId node;
    std::uint32_t next_operand;
  };
  std::vector<NodeId> order;
  std::vector<bool> seen(graph.size());
  std::vector<Visit> stack;
  const auto enter = [&](NodeId id) {
    if (seen[id.index]) return;
    seen[id.index] = true;
    stack.push_back({id, 0});
  };
  for (NodeId root : roots) {
    enter(root);
    while (!stack.empty()) {
      const NodeId id = stack.back().node;
      const auto operands = graph.operands(id);
      if (stack.back().next_operand < operands.size()) {
        enter(operands[stack.back().next_operand++]);
      } else {
        order.push_back(id);
        stack.pop_back();
      }
    }
  }
  return order;
}

Loop get_loop(Reader& in) {
  Loop loop;
  loop.max_trips = in.get<std::uint32_t>();
  const auto body = std::make_shared<Graph>();
  loop.next = get_graph(in, *body);
  if (loop.next.empty()) throw Malformed();
  loop.again = loop.next.back();
  loop.next.pop_back();
  loop.body = body;
  return loop;
}

}  // namespace

std::uint64_t table_fingerprint() {
  static const std::uint64_t fingerprint = [] {
    std::string names;
    for (const Operator& row : all_operators()) names += std::string(row.name) + "/" + std::to_string(row.arity) + "\n";
    return hash_bytes(names).low;
  }();
  return fingerprint;
}

void put_graph(Writer& out, const Graph& graph, std::span<const NodeId> roots, Locations locations) {
  const std::vector<NodeId> order = canonical_order(graph, roots);
  std::vector<std::uint32_t> place(graph.size());
  if (locations == Locations::keep) {
    out.put(static_cast<std::uint32_t>(graph.files().size()));
    for (const std::string& file : graph.files()) out.put(file);
  }
  out.put(static_cast<std::uint32_t>(order.size()));
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const Node& node = graph.node(order[i]);
    place[order[i].index] = i;
    const Operator& row = describe(node.op);
    out.put(node.op);
    if (row.form == Form::leaf || row.form == Form::part) out.put(node.payload);
    if (row.form == Form::loop) {
      const Loop& loop = graph.loop_of(order[i]);
      std::vector<NodeId> results = loop.next;
      results.push_back(loop.again);
      out.put(loop.max_trips);
      put_graph(out, *loop.body, results, locations);
      out.put(static_cast<std::uint32_t>(node.arity));
    }
    for (NodeId operand : graph.operands(order[i])) out.put(place[operand.index]);
    if (locations == Locations::keep) {
      out.put(node.where.file);
      out.put(node.where.line);
    }
  }
  out.put(static_cast<std::uint32_t>(roots.size()));
  for (NodeId root : roots) out.put(place[root.index]);
}

std::vector<NodeId> get_graph(Reader& in, Graph& graph) {
  std::vector<std::uint32_t> files(in.count());
  for (std::uint32_t& file : files) file = graph.intern_file(in.text());
  std::vector<NodeId> nodes(in.count());
  std::size_t built = 0;
  const auto get_node = [&] {
    const auto index = in.get<std::uint32_t>();
    if (index >= built) throw Malformed();
    return nodes[index];
  };
  for (NodeId& node : nodes) {
    const auto op = in.get<Op>();
    if (static_cast<int>(op) >= all_op_count) throw Malformed();
    const Operator& row = describe(op);
    std::uint64_t payload = 0;
    Loop loop;
    if (row.form == Form::leaf || row.form == Form::part) payload = in.get<std::uint64_t>();
    if (row.form == Form::loop) loop = get_loop(in);
    std::vector<NodeId> operands(row.form == Form::loop ? in.count() : row.arity);
    for (NodeId& operand : operands) operand = get_node();
    const auto file = in.get<std::uint32_t>();
    const auto line = in.get<std::uint32_t>();
    if (file >= files.size()) throw Malformed();
    if (op == Op::constant)
      node = graph.constant(std::bit_cast<double>(payload));
    else if (op == Op::input)
      node = graph.input(static_cast<std::uint32_t>(payload));
    else if (op == Op::part)
      node = graph.part(operands[0], static_cast<std::uint32_t>(payload), {files[file], line});
    else if (op == Op::loop)
      node = graph.loop(loop, operands, {files[file], line});
    else
      node = graph.apply(op, operands, {files[file], line});
    ++built;
  }
  std::vector<NodeId> roots(in.count());
  for (NodeId& root : roots) root = get_node();
  return roots;
}

}  // namespace proxima::ir
