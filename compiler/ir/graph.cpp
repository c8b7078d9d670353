#include "compiler/ir/graph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "compiler/ir/fold.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {
namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t z = (seed + 0x9e3779b97f4a7c15) ^ value;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void check_operands(const Graph& graph, const Operator& row, std::span<const NodeId> operands) {
  const std::string name(row.name);
  if (row.form == Form::leaf || (row.arity != varying && operands.size() != row.arity))
    throw std::logic_error("graph: " + name + " applied to " + std::to_string(operands.size()) + " operands");
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].index >= graph.size())
      throw std::logic_error("graph: operand of " + name + " is not in this graph");
    if (graph.type(operands[k]) != row.operand_type(k))
      throw std::logic_error("graph: operand " + std::to_string(k) + " of " + name + " has the wrong type");
  }
}

}  // namespace

NodeId Graph::constant(double value) { return intern(Op::constant, std::bit_cast<std::uint64_t>(value), {}, {}); }

NodeId Graph::input(std::uint32_t slot) { return intern(Op::input, slot, {}, {}); }

NodeId Graph::apply(Op op, std::span<const NodeId> operands, SourceLocation where) {
  const Operator& row = describe(op);
  if (row.form == Form::part || row.form == Form::loop)
    throw std::logic_error("graph: " + std::string(row.name) + " needs more than operands");
  check_operands(*this, row, operands);
  if (const auto folded = fold(*this, op, operands, where)) return *folded;
  if (row.commutative && !in_canonical_order(operands[0], operands[1])) {
    const NodeId swapped[] = {operands[1], operands[0]};
    return intern(op, 0, swapped, where);
  }
  return intern(op, 0, operands, where);
}

NodeId Graph::part(NodeId bundle, std::uint32_t k, SourceLocation where) {
  check_operands(*this, describe(Op::part), {&bundle, 1});
  if (k >= parts(bundle))
    throw std::logic_error("graph: a bundle of " + std::to_string(parts(bundle)) + " values has no part " +
                           std::to_string(k));
  return intern(Op::part, k, {&bundle, 1}, where);
}

NodeId Graph::loop(const Loop& loop, std::span<const NodeId> operands, SourceLocation where) {
  check_operands(*this, describe(Op::loop), operands);
  if (operands.size() < loop.next.size() || loop.next.empty() || loop.body->type(loop.again) != Type::truth)
    throw std::logic_error("graph: a loop needs an initial value for each carried one, and a condition");
  const auto same = [&](const Loop& other) {
    const auto same_node = [&](NodeId a, NodeId b) {
      return loop.body->structure_[a.index] == other.body->structure_[b.index];
    };
    return loop.max_trips == other.max_trips && same_node(loop.again, other.again) &&
           std::equal(loop.next.begin(), loop.next.end(), other.next.begin(), other.next.end(), same_node);
  };
  const auto found = std::find_if(loops_.begin(), loops_.end(), same);
  const auto index = static_cast<std::uint64_t>(found - loops_.begin());
  if (found == loops_.end()) loops_.push_back(loop);
  return intern(Op::loop, index, operands, where);
}

NodeId Graph::apply_like(const Graph& source, NodeId id, std::span<const NodeId> operands, SourceLocation where) {
  const Node& like = source.node(id);
  if (like.op == Op::part) return part(operands[0], static_cast<std::uint32_t>(like.payload), where);
  if (like.op == Op::loop) return loop(Loop(source.loop_of(id)), operands, where);
  return apply(like.op, operands, where);
}

NodeId Graph::integer_power(NodeId base, int exponent, SourceLocation where) {
  const auto binary = [&](Op op, NodeId a, NodeId b) { return apply(op, std::array{a, b}, where); };
  NodeId result;
  NodeId square = base;
  for (unsigned rest = exponent < 0 ? 0u - static_cast<unsigned>(exponent) : static_cast<unsigned>(exponent);
       rest != 0;) {
    if (rest & 1u) result = result == NodeId{} ? square : binary(Op::mul, result, square);
    rest >>= 1u;
    if (rest != 0) square = binary(Op::mul, square, square);
  }
  if (result == NodeId{}) return constant(1);
  return exponent < 0 ? binary(Op::div, constant(1), result) : result;
}

Type Graph::type(NodeId id) const { return describe(node(id).op).result; }

std::uint32_t Graph::parts(NodeId bundle) const {
  const std::uint8_t count = describe(node(bundle).op).parts;
  return count == varying ? static_cast<std::uint32_t>(loop_of(bundle).next.size()) : count;
}

const Loop& Graph::loop_of(NodeId id) const { return loops_[node(id).payload]; }

std::span<const NodeId> Graph::operands(NodeId id) const {
  const Node& n = node(id);
  return std::span(operand_pool_).subspan(n.first_operand, n.arity);
}

double Graph::constant_value(NodeId id) const { return std::bit_cast<double>(node(id).payload); }

bool Graph::is_constant(NodeId id) const { return node(id).op == Op::constant; }

bool Graph::is_constant(NodeId id, double value) const {
  return is_constant(id) && node(id).payload == std::bit_cast<std::uint64_t>(value);
}

std::uint32_t Graph::intern_file(const std::string& name) {
  const auto index = static_cast<std::size_t>(std::find(files_.begin(), files_.end(), name) - files_.begin());
  if (index == files_.size()) files_.push_back(name);
  return static_cast<std::uint32_t>(index);
}

// Constants first, then inputs, then by structure: an order that does not depend on which node was made first, so that
// the same formula has the same canonical form however it was reached.
bool Graph::in_canonical_order(NodeId a, NodeId b) const {
  const auto rank = [&](NodeId id) {
    const Node& n = node(id);
    if (n.op == Op::constant) return std::pair(0, n.payload);
    if (n.op == Op::input) return std::pair(1, n.payload);
    return std::pair(2, structure_[id.index]);
  };
  return rank(a) <= rank(b);
}

std::uint64_t Graph::structure_of(Op op, std::uint64_t payload, std::span<const NodeId> operands) const {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(op), payload);
  if (op == Op::loop) {  // its number says nothing outside this graph
    const Loop& loop = loops_[payload];
    hash = mix(static_cast<std::uint64_t>(op), loop.max_trips);
    hash = mix(hash, loop.body->structure_[loop.again.index]);
    for (NodeId next : loop.next) hash = mix(hash, loop.body->structure_[next.index]);
  }
  for (NodeId operand : operands) hash = mix(hash, structure_[operand.index]);
  return hash;
}

NodeId Graph::intern(Op op, std::uint64_t payload, std::span<const NodeId> operands, SourceLocation where) {
  std::uint64_t key = mix(static_cast<std::uint64_t>(op), payload);
  for (NodeId operand : operands) key = mix(key, operand.index);
  const auto [begin, end] = interned_.equal_range(key);
  for (auto entry = begin; entry != end; ++entry) {
    const Node& known = node(entry->second);
    if (known.op == op && known.payload == payload && std::ranges::equal(this->operands(entry->second), operands))
      return entry->second;
  }

  const NodeId next{static_cast<std::uint32_t>(nodes_.size())};
  structure_.push_back(structure_of(op, payload, operands));
  const auto first = static_cast<std::uint32_t>(operand_pool_.size());
  // Copied first: `operands` may be a view into the pool that is about to grow.
  const std::vector<NodeId> copy(operands.begin(), operands.end());
  operand_pool_.insert(operand_pool_.end(), copy.begin(), copy.end());
  nodes_.push_back({op, static_cast<std::uint16_t>(copy.size()), first, payload, where});
  interned_.emplace(key, next);
  return next;
}

}  // namespace proxima::ir
