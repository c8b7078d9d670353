#include "compiler/derive/diagonal.hpp"

#include <stdexcept>
#include <string>
#include <unordered_map>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Graph;
using ir::NodeId;
using ir::Op;

using Nodes = std::vector<NodeId>;

class Substitution {
 public:
  Substitution(const Graph& source, Graph& target, std::array<NodeId, 3> diagonal, std::span<const NodeId> rest)
      : source_(source), target_(target), image_(source.size()), zero_(target.constant(0)) {
    for (std::size_t k = 0; k < 9; ++k) inputs_.push_back(k % 4 == 0 ? diagonal[k / 4] : zero_);
    inputs_.insert(inputs_.end(), rest.begin(), rest.end());
    for (const std::string& file : source.files()) files_.push_back(target.intern_file(file));
  }

  NodeId image(NodeId id) const { return image_[id.index]; }

  void build(NodeId id) {
    const ir::Node& node = source_.node(id);
    if (node.op == Op::constant) {
      image_[id.index] = target_.constant(source_.constant_value(id));
    } else if (node.op == Op::input) {
      if (node.payload >= inputs_.size())
        throw std::logic_error("no value is given for input " + std::to_string(node.payload));
      image_[id.index] = inputs_[node.payload];
    } else if (node.op == Op::part) {
      const auto parts = read_off_.find(source_.operands(id)[0].index);
      image_[id.index] = parts != read_off_.end() ? parts->second[node.payload] : applied(id);
    } else {
      Nodes operands;
      bool known = true;
      for (NodeId operand : source_.operands(id)) {
        operands.push_back(image_[operand.index]);
        known = known && (source_.type(operand) != ir::Type::bundle || read_off_.contains(operand.index));
      }
      const Nodes parts = known ? read_off(node.op, operands) : Nodes();
      if (!parts.empty())
        read_off_[id.index] = parts;
      else if (known || node.op == Op::loop)
        image_[id.index] = simplified(id, operands);
      else
        image_[id.index] = applied(id);
    }
  }

 private:
  bool is_zero(NodeId id) const { return target_.is_constant(id, 0) || target_.is_constant(id, -0.0); }

  NodeId applied(NodeId id) {
    Nodes operands;
    for (NodeId operand : source_.operands(id)) operands.push_back(image_[operand.index]);
    const ir::SourceLocation where = source_.node(id).where;
    return target_.apply_like(source_, id, operands, {files_[where.file], where.line});
  }

  NodeId simplified(NodeId id, const Nodes& x) {
    const Op op = source_.node(id).op;
    const bool first = is_zero(x[0]), second = x.size() > 1 && is_zero(x[1]);
    if ((op == Op::mul && (first || second)) || (op == Op::div && first)) return zero_;
    if ((op == Op::gap || op == Op::sub || op == Op::add) && first && second) return zero_;
    if ((op == Op::add || op == Op::sub) && second) return x[0];
    if (op == Op::add && first) return x[1];
    if (op == Op::sub && first) return target_.apply(Op::neg, {&x[1], 1});
    return applied(id);
  }

  // The parts of a decomposition or composition of diagonal matrices; none when it is not one.
  Nodes read_off(Op op, const Nodes& x) {
    const NodeId one = target_.constant(1);
    const auto append_identity = [&](Nodes& parts) {
      for (std::size_t k = 0; k < 9; ++k) parts.push_back(k % 4 == 0 ? one : zero_);
    };
    const auto diagonal = [&](std::initializer_list<std::size_t> off) {
      for (std::size_t k : off)
        if (!is_zero(x[k])) return false;
      return true;
    };
    Nodes parts;
    if (op == Op::svd && diagonal({1, 2, 3, 5, 6, 7})) {
      parts = {x[0], x[4], x[8]};
      append_identity(parts);
      append_identity(parts);
    } else if (op == Op::polar && diagonal({1, 2, 3, 5, 6, 7})) {
      append_identity(parts);
    } else if (op == Op::eigen && diagonal({1, 2, 4})) {
      parts = {x[0], x[3], x[5]};
      append_identity(parts);
    } else if (op == Op::svd_compose) {
      parts = {x[1], zero_, zero_, zero_, x[2], zero_, zero_, zero_, x[3]};
    } else if (op == Op::eigen_compose) {
      parts = {x[1], zero_, zero_, x[2], zero_, x[3]};
    }
    return parts;
  }

  const Graph& source_;
  Graph& target_;
  Nodes image_, inputs_;
  NodeId zero_;
  std::vector<std::uint32_t> files_;
  std::unordered_map<std::uint32_t, Nodes> read_off_;  // by the bundle's index in the source
};

}  // namespace

std::vector<NodeId> at_diagonal(const Graph& source, std::span<const NodeId> roots, Graph& target,
                                std::array<NodeId, 3> diagonal, std::span<const NodeId> rest) {
  Substitution substitution(source, target, diagonal, rest);
  const std::vector<bool> live = ir::live_nodes(source, roots);
  for (std::uint32_t i = 0; i < live.size(); ++i)
    if (live[i]) substitution.build({i});
  Nodes result;
  for (NodeId root : roots) result.push_back(substitution.image(root));
  return result;
}

}  // namespace proxima::derive
