#include "tests/jit/random_kernel.hpp"

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "compiler/ir/expression.hpp"

namespace proxima::jit::testing {
namespace {

using ir::Expression;
using ir::Graph;
using ir::NodeId;
using ir::Op;

// Grows one formula from the given numbers.
class Grower {
 public:
  Grower(Graph& graph, std::mt19937& random, std::vector<Expression> numbers, int depth)
      : graph_(graph), random_(random), numbers_(std::move(numbers)), depth_(depth) {
    truths_ = {less(number(), number())};
  }

  void grow(int steps) {
    for (int k = 0; k < steps; ++k) {
      const int kind = below(100);
      if (kind < 80)
        simple();
      else if (kind < 95)
        truths_.push_back(condition());
      else if (kind < 97)
        composite();
      else if (depth_ > 0)
        loop();
    }
  }

  // Recent numbers are likelier, so that formulas get deep.
  Expression number() {
    if (below(12) == 0) return numbers_[0].constant(constant());
    const auto size = static_cast<int>(numbers_.size());
    return numbers_[static_cast<std::size_t>(size - 1 - below(below(2) == 0 ? size : std::min(size, 5)))];
  }
  Expression truth() { return truths_[static_cast<std::size_t>(below(static_cast<int>(truths_.size())))]; }

 private:
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  double constant() {
    static constexpr double some[] = {0, -0.0, 1, -1, 2, 0.5, 1.0 / 3, 1e-3, -7.25, 1e-9};
    return some[below(10)];
  }

  void simple() {
    const ir::Operator& row = ir::operators()[static_cast<std::size_t>(below(ir::op_count))];
    if (row.form == ir::Form::leaf) return;
    std::vector<NodeId> operands;
    for (std::size_t k = 0; k < row.arity; ++k)
      operands.push_back(row.operand_type(k) == ir::Type::truth ? truth().node : in_domain(row.op, k, number()).node);
    const Expression result{&graph_, graph_.apply(row.op, operands)};
    (row.result == ir::Type::truth ? truths_ : numbers_).push_back(result);
  }

  // Now and then any number, to see infinities and NaN; else one that the operator is made for.
  Expression in_domain(Op op, std::size_t k, Expression x) {
    if (below(10) == 0) return x;
    switch (op) {
      case Op::sqrt:
        return x.apply(Op::abs);
      case Op::log:
        return x.apply(Op::abs) + 0.125;
      case Op::log1p:
        return x.apply(Op::abs) - 0.5;
      case Op::div:
        return k == 0 ? x : x * x + 0.25;
      case Op::pow:
        return k == 0 ? x.apply(Op::abs) + 0.125 : x.apply(Op::tanh) * 3.0;
      case Op::exp:
      case Op::expm1:
        return x.apply(Op::min, {x.constant(3)});
      case Op::sin:
      case Op::cos:
        return x.apply(Op::max, {x.constant(-30)}).apply(Op::min, {x.constant(30)});
      case Op::tan:
        return x.apply(Op::tanh);
      default:
        return x;
    }
  }

  Expression condition() {
    const Expression a = number(), b = number();
    switch (below(5)) {
      case 0:
        return truth().apply(Op::logical_and, {truth()});
      case 1:
        return truth().apply(Op::logical_or, {truth()});
      case 2:
        return truth().apply(Op::logical_not);
      case 3:
        return a.apply(Op::less_equal, {b});
      default:
        return less(a, b);
    }
  }

  std::vector<NodeId> operands(std::size_t count) {
    std::vector<NodeId> result;
    for (std::size_t k = 0; k < count; ++k) result.push_back(number().node);
    return result;
  }
  Expression part(NodeId bundle, std::uint32_t k) { return {&graph_, graph_.part(bundle, k)}; }

  // Of the vectors of a decomposition only what is unique is used: compositions of them with odd functions of the
  // values.
  void composite() {
    switch (below(6)) {
      case 0:
        numbers_.push_back(number().apply(Op::gap, {number()}));
        break;
      case 1: {
        const NodeId polar = graph_.apply(Op::polar, operands(9));
        for (int k = 0; k < 3; ++k) numbers_.push_back(part(polar, static_cast<std::uint32_t>(below(9))));
        break;
      }
      case 2: {
        const NodeId eigen = graph_.apply(Op::eigen, operands(6));
        for (std::uint32_t k = 0; k < 3; ++k) numbers_.push_back(part(eigen, k));
        break;
      }
      case 3: {
        const NodeId svd = graph_.apply(Op::svd, operands(9));
        for (std::uint32_t k = 0; k < 3; ++k) numbers_.push_back(part(svd, k));
        break;
      }
      case 4:
        compose(graph_.apply(Op::svd, operands(9)), Op::svd_compose);
        break;
      default:
        compose(graph_.apply(Op::eigen, operands(6)), Op::eigen_compose);
    }
  }
  void compose(NodeId bundle, Op op) {
    std::vector<NodeId> x = {bundle};
    const int function = below(3);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Expression s = part(bundle, k);
      x.push_back((function == 0 ? s * s * s : function == 1 ? s.apply(Op::tanh) : 2.0 * s).node);
    }
    while (x.size() < ir::describe(op).arity) x.push_back(graph_.constant(0));
    const NodeId composed = graph_.apply(op, x);
    for (int k = 0; k < 3; ++k)
      numbers_.push_back(part(composed, static_cast<std::uint32_t>(below(static_cast<int>(ir::describe(op).parts)))));
  }

  // Carries a counter and up to three numbers that are drawn towards a point, so that rounding errors do not grow.
  void loop() {
    const std::size_t carried = 1 + static_cast<std::size_t>(below(3)), captured = static_cast<std::size_t>(below(4));
    const auto body = std::make_shared<Graph>();
    std::vector<Expression> inside;
    for (std::uint32_t k = 0; k <= carried + captured; ++k) inside.push_back({body.get(), body->input(k)});
    const Expression count = inside[0];
    Grower grower(*body, random_, inside, depth_ - 1);
    grower.grow(3 + below(12));
    ir::Loop loop{.body = body,
                  .next = {(count + 1.0).node},
                  .again = less(count, 1.0 + below(7)).apply(Op::logical_and, {grower.condition()}).node,
                  .max_trips = static_cast<std::uint32_t>(below(9))};
    if (below(2) == 0) loop.again = less(count, 1.0 + below(7)).node;
    std::vector<NodeId> x = {graph_.constant(0)};
    for (std::size_t k = 1; k <= carried; ++k) {
      const Expression pull = grower.number().apply(Op::tanh);
      loop.next.push_back((0.5 * inside[k] + 0.25 * pull).node);
      x.push_back(number().node);
    }
    for (std::size_t k = 0; k < captured; ++k) x.push_back(number().node);
    const NodeId bundle = graph_.loop(loop, x);
    for (std::uint32_t k = 0; k <= carried; ++k) numbers_.push_back(part(bundle, k));
  }

  Graph& graph_;
  std::mt19937& random_;
  std::vector<Expression> numbers_, truths_;
  const int depth_;  // of loops that may be made
};

}  // namespace

ir::Kernel random_kernel(unsigned seed, int formulas) {
  std::mt19937 random(seed);
  ir::Kernel kernel;
  kernel.name = "random." + std::to_string(seed);
  kernel.corners = 2;
  kernel.inputs = {{"x", ir::Access::element, 9}, {"v", ir::Access::nodal, 2}, {"u", ir::Access::uniform, 2}};
  kernel.outputs = {{"y", ir::Access::element, static_cast<std::uint32_t>(formulas)}};
  for (int k = 0; k < formulas; ++k) {
    std::vector<Expression> numbers;
    // Some see uniform inputs alone, which are computed once a launch.
    for (std::uint32_t slot = random() % 8 == 0 ? 13 : 0; slot < 15; ++slot)
      numbers.push_back({&kernel.graph, kernel.graph.input(slot)});
    Grower grower(kernel.graph, random, numbers, 2);
    grower.grow(5 + static_cast<int>(random() % 40));
    kernel.results.push_back(select(grower.truth(), grower.number(), grower.number()).node);
  }
  return kernel;
}

}  // namespace proxima::jit::testing
