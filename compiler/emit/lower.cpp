#include "compiler/emit/lower.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/emit/spectral.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Expression;
using ir::Form;
using ir::Graph;
using ir::NodeId;
using ir::Op;

bool has_composites(const Graph& graph) {
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const Form form = describe(graph.node({i}).op).form;
    if (form == Form::composite || (form == Form::loop && has_composites(*graph.loop_of({i}).body))) return true;
  }
  return false;
}

bool is_decomposition(Op op) { return op == Op::svd || op == Op::polar || op == Op::eigen; }

// Builds one graph anew. A bundle's image is its parts.
class Lowering {
 public:
  Lowering(const Graph& source, Graph& target, Precision precision, Decompositions decompositions)
      : source_(source),
        target_(target),
        precision_(precision),
        decompositions_(decompositions),
        image_(source.size()) {
    for (const std::string& file : source.files()) files_.push_back(target.intern_file(file));
  }

  std::vector<NodeId> images(const std::vector<NodeId>& roots) {
    const std::vector<bool> live = live_nodes(source_, roots);
    for (std::uint32_t i = 0; i < source_.size(); ++i)
      if (live[i]) image_[i] = image_of({i});
    std::vector<NodeId> result;
    result.reserve(roots.size());
    for (const NodeId root : roots) result.push_back(image_[root.index].at(0));
    return result;
  }

 private:
  using Image = std::vector<NodeId>;

  Image image_of(NodeId id) {
    const ir::Node& node = source_.node(id);
    const ir::SourceLocation where{files_[node.where.file], node.where.line};
    std::vector<NodeId> operands;
    for (const NodeId operand : source_.operands(id))
      operands.insert(operands.end(), image_[operand.index].begin(), image_[operand.index].end());
    switch (describe(node.op).form) {
      case Form::leaf:
        return {node.op == Op::constant ? target_.constant(source_.constant_value(id))
                                        : target_.input(static_cast<std::uint32_t>(node.payload))};
      case Form::part:
        return {operands.at(node.payload)};
      case Form::loop:
        return parts_of(target_.loop(lowered(source_.loop_of(id)), operands, where));
      case Form::composite:
        if (decompositions_ == Decompositions::kept && is_decomposition(node.op))
          return parts_of(target_.apply(node.op, operands, where));
        return composite(node.op, operands);
      default:
        return {target_.apply(node.op, operands, where)};
    }
  }

  Image parts_of(NodeId bundle) {
    Image parts;
    for (std::uint32_t k = 0; k < target_.parts(bundle); ++k) parts.push_back(target_.part(bundle, k));
    return parts;
  }

  ir::Loop lowered(const ir::Loop& loop) const {
    if (!has_composites(*loop.body)) return loop;
    const auto body = std::make_shared<Graph>();
    std::vector<NodeId> roots = loop.next;
    roots.push_back(loop.again);
    roots = Lowering(*loop.body, *body, precision_, decompositions_).images(roots);
    const NodeId again = roots.back();
    roots.pop_back();
    return {.body = body, .next = std::move(roots), .again = again, .max_trips = loop.max_trips};
  }

  Image composite(Op op, const std::vector<NodeId>& operands) {
    std::vector<Expression> x;
    x.reserve(operands.size());
    for (const NodeId operand : operands) x.push_back({&target_, operand});
    std::vector<Expression> parts;
    switch (op) {
      case Op::gap: {
        const Expression difference = x[0] - x[1];
        parts = {0.5 * (difference * difference)};
        break;
      }
      case Op::svd:
        parts = signed_svd(x, precision_);
        break;
      case Op::polar:
        parts = polar_rotation(x, precision_);
        break;
      case Op::eigen:
        parts = symmetric_eigen(x, precision_);
        break;
      case Op::svd_compose:
        parts = svd_compose(x);
        break;
      case Op::eigen_compose:
        parts = eigen_compose(x);
        break;
      default:
        throw std::logic_error("lower: no formula for operator " + std::string(describe(op).name));
    }
    Image image;
    for (const Expression& part : parts) image.push_back(part.node);
    return image;
  }

  const Graph& source_;
  Graph& target_;
  const Precision precision_;
  const Decompositions decompositions_;
  std::vector<Image> image_;  // by node of the source
  std::vector<std::uint32_t> files_;
};

}  // namespace

ir::Kernel lower(const ir::Kernel& kernel, Precision precision, Decompositions decompositions) {
  if (!has_composites(kernel.graph)) return kernel;
  ir::Kernel result{.name = kernel.name,
                    .corners = kernel.corners,
                    .inputs = kernel.inputs,
                    .outputs = kernel.outputs,
                    .graph = {},
                    .results = {}};
  result.results = Lowering(kernel.graph, result.graph, precision, decompositions).images(kernel.results);
  return result;
}

}  // namespace proxima::emit
