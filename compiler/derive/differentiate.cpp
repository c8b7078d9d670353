// Reverse and forward mode. What makes them safe around select: a value that only a branch uses is worth something only
// where that branch is taken, and so is its adjoint. The reverse sweep therefore knows for every node when it is
// active, lets adjoints be whatever they are where it is not (inf, NaN), and puts one select where such an adjoint
// reaches a node that is active more often. No product with a zero has to suppress anything, so 0 * NaN cannot arise.
//
// Bundles of numbers (decompositions of matrices) are visited as one node; compiler/derive/spectral has their rules.
#include <array>
#include <optional>
#include <unordered_map>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/edges.hpp"
#include "compiler/derive/paths.hpp"
#include "compiler/derive/spectral.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Graph;
using ir::NodeId;
using ir::Op;

constexpr NodeId always{};  // as a condition
constexpr NodeId none{};    // as an adjoint or tangent: structurally zero

NodeId binary(Graph& graph, Op op, NodeId a, NodeId b) { return graph.apply(op, std::array{a, b}); }

NodeId sum(Graph& graph, NodeId a, NodeId b) {
  if (a == none) return b;
  if (b == none) return a;
  return binary(graph, Op::add, a, b);
}

NodeId both(Graph& graph, NodeId a, NodeId b) {
  if (a == always) return b;
  if (b == always) return a;
  return binary(graph, Op::logical_and, a, b);
}

bool opposite(const Graph& graph, NodeId a, NodeId b) {
  return (graph.node(a).op == Op::logical_not && graph.operands(a)[0] == b) ||
         (graph.node(b).op == Op::logical_not && graph.operands(b)[0] == a);
}

// a or b, with the cases simplified that a value used in both branches of a select gives rise to:
// c or not c; p and c or p and not c; p or p and c.
NodeId either(Graph& graph, NodeId a, NodeId b) {
  if (a == always || b == always || opposite(graph, a, b)) return always;
  if (a == b) return a;
  const auto terms = [&](NodeId x) {
    return graph.node(x).op == Op::logical_and ? std::array{graph.operands(x)[0], graph.operands(x)[1]}
                                               : std::array{x, x};
  };
  const auto of_a = terms(a), of_b = terms(b);
  for (std::size_t i = 0; i < 2; ++i) {
    if (of_b[i] == a) return a;
    if (of_a[i] == b) return b;
    for (std::size_t j = 0; j < 2; ++j)
      if (of_a[i] == of_b[j] && opposite(graph, of_a[1 - i], of_b[1 - j])) return of_a[i];
  }
  return binary(graph, Op::logical_or, a, b);
}

NodeId or_zero(Graph& graph, NodeId node) { return node == none ? graph.constant(0) : node; }

Movement movement(Graph& graph, NodeId node) {
  return node == none ? Movement() : Movement({.graph = &graph, .node = node});
}

bool is_bundle(const Graph& graph, NodeId id) { return graph.type(id) == ir::Type::bundle; }
bool is_part(const Graph& graph, NodeId id) { return graph.node(id).op == Op::part; }

// One reverse sweep. Numbers have one adjoint, bundles one for each part.
class ReverseSweep {
 public:
  ReverseSweep(Graph& graph, NodeId output, std::span<const NodeId> inputs)
      : graph_(graph),
        needed_(moving_nodes_between(graph, inputs, {&output, 1})),
        edges_(needed_.size()),
        active_(needed_.size()),
        adjoint_(needed_.size(), none) {
    if (!needed_[output.index]) return;
    find_active(output);
    for (NodeId input : inputs)
      if (needed_[input.index]) active_[input.index] = always;
    adjoint_[output.index] = graph.constant(1);
    for (auto i = static_cast<std::uint32_t>(needed_.size()); i-- > 0;) visit({i});
  }

  NodeId adjoint(NodeId input) const { return adjoint_[input.index]; }

 private:
  // When each node matters: the output always, an operand when a user of it matters and the edge is taken.
  void find_active(NodeId output) {
    active_[output.index] = always;
    for (auto i = static_cast<std::uint32_t>(needed_.size()); i-- > 0;) {
      if (!needed_[i] || !active_[i]) continue;
      if (is_bundle(graph_, {i}) || is_part(graph_, {i})) {
        for (NodeId mover : movers(graph_, {i})) matters(mover, *active_[i]);
      } else {
        edges_[i] = edges_of(graph_, {i}, needed_);
        for (const Edge& edge : edges_[i]) matters(edge.operand, where_taken({i}, edge));
      }
    }
  }
  void matters(NodeId operand, NodeId here) {
    if (!needed_[operand.index]) return;
    auto& target = active_[operand.index];
    target = target ? either(graph_, *target, here) : here;
  }
  NodeId where_taken(NodeId node, const Edge& edge) {
    const NodeId here = *active_[node.index];
    return edge.conditional() ? both(graph_, here, holds(graph_, edge)) : here;
  }

  void visit(NodeId node) {
    if (is_bundle(graph_, node)) {
      const auto parts = part_adjoints_.find(node.index);
      if (parts == part_adjoints_.end()) return;
      const std::vector<Movement> pulled = pull_through(graph_, node, parts->second);
      const std::vector<NodeId> operands = movers(graph_, node);
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (pulled[k] && needed_[operands[k].index]) {
          NodeId& target = adjoint_[operands[k].index];
          target = sum(graph_, target, guarded(pulled[k]->node, *active_[node.index], operands[k]));
        }
    } else if (adjoint_[node.index] == none) {
      return;
    } else if (is_part(graph_, node)) {
      const NodeId bundle = graph_.operands(node)[0];
      if (!needed_[bundle.index]) return;
      auto& parts = part_adjoints_[bundle.index];
      parts.resize(graph_.parts(bundle));
      parts[graph_.node(node).payload] = movement(graph_, guarded(adjoint_[node.index], *active_[node.index], bundle));
    } else {
      for (const Edge& edge : edges_[node.index]) {
        NodeId& target = adjoint_[edge.operand.index];
        const NodeId contribution = along(graph_, edge, adjoint_[node.index]);
        target = sum(graph_, target, guarded(contribution, where_taken(node, edge), edge.operand));
      }
    }
  }

  // A contribution that is worth something only `here`, for a node that may matter more often.
  NodeId guarded(NodeId contribution, NodeId here, NodeId operand) {
    if (here == *active_[operand.index]) return contribution;
    return graph_.apply(Op::select, std::array{here, contribution, graph_.constant(0)});
  }

  Graph& graph_;
  std::vector<bool> needed_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::optional<NodeId>> active_;
  std::vector<NodeId> adjoint_;
  std::unordered_map<std::uint32_t, std::vector<Movement>> part_adjoints_;
};

// One forward sweep.
class ForwardSweep {
 public:
  ForwardSweep(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> inputs,
               std::span<const NodeId> seeds)
      : graph_(graph),
        needed_(moving_nodes_between(graph, inputs, outputs)),
        moving_(needed_.size()),
        tangent_(needed_.size(), none) {
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (!graph.is_constant(seeds[k], 0)) tangent_[inputs[k].index] = seeds[k];
    for (std::uint32_t i = 0; i < needed_.size(); ++i) {
      if (needed_[i] && tangent_[i] == none) visit({i});
      if (tangent_[i] != none) moving_[i] = true;
    }
  }

  NodeId tangent(NodeId output) const { return tangent_[output.index]; }

 private:
  void visit(NodeId node) {
    if (is_bundle(graph_, node)) {
      visit_bundle(node);
    } else if (is_part(graph_, node)) {
      const NodeId bundle = graph_.operands(node)[0];
      const auto parts = part_tangents_.find(bundle.index);
      if (parts == part_tangents_.end()) return;
      check_has_derivative(graph_, bundle, graph_.node(node).payload);
      const Movement& part = parts->second[graph_.node(node).payload];
      if (part) tangent_[node.index] = part->node;
    } else {
      visit_number(node);
    }
  }

  void visit_bundle(NodeId node) {
    std::vector<Movement> movements;
    bool any = false;
    for (NodeId mover : movers(graph_, node)) {
      movements.push_back(movement(graph_, tangent_[mover.index]));
      any = any || movements.back();
    }
    if (any) part_tangents_[node.index] = push_through(graph_, node, movements);
  }

  void visit_number(NodeId node) {
    NodeId& tangent = tangent_[node.index];
    NodeId condition = none, if_taken = none, if_not = none;  // of the edges with a condition: a node has one at most
    for (const Edge& edge : edges_of(graph_, node, moving_)) {
      NodeId& part = !edge.conditional() ? tangent : edge.taken ? if_taken : if_not;
      part = sum(graph_, part, along(graph_, edge, tangent_[edge.operand.index]));
      if (edge.conditional()) condition = edge.condition;
    }
    if (condition == none) return;
    const std::array branches = {condition, or_zero(graph_, if_taken), or_zero(graph_, if_not)};
    tangent = sum(graph_, tangent, graph_.apply(Op::select, branches));
  }

  Graph& graph_;
  std::vector<bool> needed_, moving_;
  std::vector<NodeId> tangent_;
  std::unordered_map<std::uint32_t, std::vector<Movement>> part_tangents_;
};

}  // namespace

std::vector<NodeId> gradient(Graph& graph, NodeId output, std::span<const NodeId> inputs) {
  const ReverseSweep sweep(graph, output, inputs);
  std::vector<NodeId> result;
  for (NodeId input : inputs) result.push_back(or_zero(graph, sweep.adjoint(input)));
  return result;
}

std::vector<NodeId> directional(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> inputs,
                                std::span<const NodeId> seeds) {
  const ForwardSweep sweep(graph, outputs, inputs, seeds);
  std::vector<NodeId> result;
  for (NodeId output : outputs) result.push_back(or_zero(graph, sweep.tangent(output)));
  return result;
}

}  // namespace proxima::derive
