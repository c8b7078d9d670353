// The expression graph: every formula in the system is one of these, from the author's energy to the kernel that is
// emitted. Nodes are hash-consed (equal expressions are one node), constants are interned by bit pattern, and only
// folding that is exact in IEEE arithmetic is done. Operands always precede their users, so increasing index is a
// topological order. Knows nothing of derivatives (compiler/derive) or targets (compiler/emit).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace proxima::ir {

enum class Op : std::uint8_t;    // compiler/ir/operators.hpp
enum class Type : std::uint8_t;  // likewise

struct NodeId {
  std::uint32_t index = UINT32_MAX;
  auto operator<=>(const NodeId&) const = default;
};

// Where in the author's source a node was first written. `file` indexes Graph::files(); line 0 means "not written
// by anyone", as for nodes made by differentiation.
struct SourceLocation {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

struct Node {
  Op op;
  std::uint16_t arity;
  std::uint32_t first_operand;  // into the operand pool
  std::uint64_t payload;        // constant: its bit pattern; input: its slot; part: which; loop: which; otherwise 0
  SourceLocation where;
};
static_assert(sizeof(Node) == 24);

class Graph;

// What a loop node repeats. The body is a graph of its own: its inputs 0..n-1 are the n carried values, those after
// them the captured ones. For each lane, at most max_trips times: unless `again` holds, stop; else the carried values
// become `next`. Bodies may hold loops.
struct Loop {
  std::shared_ptr<const Graph> body;
  std::vector<NodeId> next;  // n numbers of `body`
  NodeId again;              // a truth value of `body`
  std::uint32_t max_trips = 0;
};

class Graph {
 public:
  // The node for a constant. Told apart by bits: 0.0 and -0.0 are two nodes, x and x*(1+1e-16) may be.
  NodeId constant(double value);

  // The node for scalar input number `slot`. What the slot means is the owner's business (see Kernel, Energy).
  NodeId input(std::uint32_t slot);

  // The node for `op` applied to `operands`: an existing one, a folded one, or a new one.
  // Throws std::logic_error when the arity or an operand's type (number or truth value) does not fit.
  NodeId apply(Op op, std::span<const NodeId> operands, SourceLocation where = {});

  // Value number `k` of a bundle.
  NodeId part(NodeId bundle, std::uint32_t k, SourceLocation where = {});

  // The bundle of carried values after the loop; `operands`: their initial values, then the captured ones.
  NodeId loop(const Loop& loop, std::span<const NodeId> operands, SourceLocation where = {});

  // What node `id` of `source` applies, applied to `operands` of this graph: any node but a constant or an input.
  NodeId apply_like(const Graph& source, NodeId id, std::span<const NodeId> operands, SourceLocation where = {});

  // base^exponent by repeated squaring, a quotient when exponent < 0; never through a logarithm.
  NodeId integer_power(NodeId base, int exponent, SourceLocation where = {});

  const Node& node(NodeId id) const { return nodes_[id.index]; }
  Type type(NodeId id) const;
  std::uint32_t parts(NodeId bundle) const;  // how many values it has
  const Loop& loop_of(NodeId id) const;      // only for Op::loop
  std::span<const NodeId> operands(NodeId id) const;
  double constant_value(NodeId id) const;  // only for Op::constant
  bool is_constant(NodeId id) const;
  bool is_constant(NodeId id, double value) const;  // by bit pattern
  std::size_t size() const { return nodes_.size(); }

  // Source files that locations refer to; entry 0 is "" (none).
  std::uint32_t intern_file(const std::string& name);
  const std::vector<std::string>& files() const { return files_; }

 private:
  NodeId intern(Op op, std::uint64_t payload, std::span<const NodeId> operands, SourceLocation where);
  std::uint64_t structure_of(Op op, std::uint64_t payload, std::span<const NodeId> operands) const;
  bool in_canonical_order(NodeId a, NodeId b) const;

  std::vector<Node> nodes_;
  std::vector<std::uint64_t> structure_;  // a hash of each node's expression, whatever the order of construction
  std::vector<NodeId> operand_pool_;
  std::vector<std::string> files_{""};
  std::vector<Loop> loops_;
  std::unordered_multimap<std::uint64_t, NodeId> interned_;  // by a hash of operator, payload and operands
};

}  // namespace proxima::ir
