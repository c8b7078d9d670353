// Writing loops in formulas. Values are carried or captured from the graph around the loop, and are then nodes of its
// body:
//   LoopBuilder loop(graph);
//   const Expression x = loop.carry(start), a = loop.capture(number);
//   const Expression root = loop.finish({0.5 * (x + a / x)}, less(1e-9, ...), 40)[0];
#pragma once

#include <memory>
#include <vector>

#include "compiler/ir/expression.hpp"

namespace proxima::ir {

class LoopBuilder {
 public:
  explicit LoopBuilder(Graph& around) : around_(&around), body_(std::make_shared<Graph>()) {}

  Graph& body() { return *body_; }

  // All values are carried before the first is captured. `initial` and `value` are of the graph around the loop.
  Expression carry(Expression initial) { return add(initial, true); }
  std::vector<Expression> carry(const std::vector<Expression>& initial) { return each(initial, true); }
  Expression capture(Expression value) { return add(value, false); }
  std::vector<Expression> capture(const std::vector<Expression>& values) { return each(values, false); }

  // What the carried values become in one trip, in the order in which they were carried. Returns them after the loop.
  std::vector<Expression> finish(const std::vector<Expression>& next, Expression again, std::uint32_t max_trips);

 private:
  Expression add(Expression outer, bool carried);
  std::vector<Expression> each(const std::vector<Expression>& outer, bool carried);

  Graph* around_;
  std::shared_ptr<Graph> body_;
  std::vector<NodeId> operands_;
  std::size_t carried_ = 0;
};

// The same values, whose derivative is 0 by the convention of loops.
std::vector<Expression> without_derivative(const std::vector<Expression>& values);

}  // namespace proxima::ir
