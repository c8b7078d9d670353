#include "compiler/ir/loop_builder.hpp"

#include <stdexcept>

namespace proxima::ir {

Expression LoopBuilder::add(Expression outer, bool carried) {
  if (carried && carried_ != operands_.size())
    throw std::logic_error("loop: values are carried before the first is captured");
  carried_ += carried ? 1 : 0;
  operands_.push_back(outer.node);
  return {body_.get(), body_->input(static_cast<std::uint32_t>(operands_.size() - 1))};
}

std::vector<Expression> LoopBuilder::each(const std::vector<Expression>& outer, bool carried) {
  std::vector<Expression> inner;
  inner.reserve(outer.size());
  for (const Expression& value : outer) inner.push_back(add(value, carried));
  return inner;
}

std::vector<Expression> LoopBuilder::finish(const std::vector<Expression>& next, Expression again,
                                            std::uint32_t max_trips) {
  if (next.size() != carried_) throw std::logic_error("loop: one next value is needed for each carried one");
  Loop loop{.body = body_, .next = {}, .again = again.node, .max_trips = max_trips};
  loop.next.reserve(next.size());
  for (const Expression& value : next) loop.next.push_back(value.node);
  const NodeId bundle = around_->loop(loop, operands_);
  std::vector<Expression> after;
  after.reserve(carried_);
  for (std::uint32_t k = 0; k < carried_; ++k) after.push_back({around_, around_->part(bundle, k)});
  return after;
}

std::vector<Expression> without_derivative(const std::vector<Expression>& values) {
  LoopBuilder loop(*values.front().graph);
  const std::vector<Expression> same = loop.carry(values);
  const Expression one = same.front().constant(1);
  return loop.finish(same, less(one, 0.0), 1);
}

}  // namespace proxima::ir
