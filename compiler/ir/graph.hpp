// The expression graph: every formula in the system is one of these, from the author's energy to the kernel that is
// emitted. Nodes are hash-consed (equal expressions are one node), constants are interned by bit pattern, and only
// folding that is exact in IEEE arithmetic is done. Operands always precede their users, so increasing index is a
// topological order. Knows nothing of derivatives (compiler/derive) or targets (compiler/emit).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
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
  std::uint8_t arity;
  std::uint32_t first_operand;  // into the operand pool
  std::uint64_t payload;        // constant: its bit pattern; input: its slot; otherwise 0
  SourceLocation where;
};
static_assert(sizeof(Node) == 24);

class Graph {
 public:
  // The node for a constant. Told apart by bits: 0.0 and -0.0 are two nodes, x and x*(1+1e-16) may be.
  NodeId constant(double value);

  // The node for scalar input number `slot`. What the slot means is the owner's business (see Kernel, Energy).
  NodeId input(std::uint32_t slot);

  // The node for `op` applied to `operands`: an existing one, a folded one, or a new one.
  // Throws std::logic_error when the arity or an operand's type (number or truth value) does not fit.
  NodeId apply(Op op, std::span<const NodeId> operands, SourceLocation where = {});

  // base^exponent by repeated squaring, a quotient when exponent < 0; never through a logarithm.
  NodeId integer_power(NodeId base, int exponent, SourceLocation where = {});

  const Node& node(NodeId id) const { return nodes_[id.index]; }
  Type type(NodeId id) const;
  std::span<const NodeId> operands(NodeId id) const;
  double constant_value(NodeId id) const;  // only for Op::constant
  bool is_constant(NodeId id) const;
  bool is_constant(NodeId id, double value) const;  // by bit pattern
  std::size_t size() const { return nodes_.size(); }

  // Source files that locations refer to; entry 0 is "" (none).
  std::uint32_t intern_file(const std::string& name);
  const std::vector<std::string>& files() const { return files_; }

 private:
  static constexpr std::size_t max_arity = 3;
  struct Key {
    Op op;
    std::uint64_t payload;
    std::array<NodeId, max_arity> operands;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  NodeId intern(Op op, std::uint64_t payload, std::span<const NodeId> operands, SourceLocation where);
  bool in_canonical_order(NodeId a, NodeId b) const;

  std::vector<Node> nodes_;
  std::vector<std::uint64_t> structure_;  // a hash of each node's expression, whatever the order of construction
  std::vector<NodeId> operand_pool_;
  std::vector<std::string> files_{""};
  std::unordered_map<Key, NodeId, KeyHash> interned_;
};

}  // namespace proxima::ir
