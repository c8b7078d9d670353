// The divided-difference rule of each operator. Internal to this room.
#pragma once

#include <optional>

#include "compiler/ir/expression.hpp"

namespace proxima::derive {

// A quotient (x' - x)/delta; nullopt when x does not move, so that nothing is built for it.
using Rate = std::optional<ir::Expression>;

// One application at both ends. `a` and `b` are operands 0 and 1 of an operator on numbers (b only when it has two);
// a select has its condition in `condition` and its branches in a and b.
struct Ends {
  struct Value {
    ir::Expression from, to;
    Rate rate;
  };
  Value condition, a, b;
  ir::Expression from, to;  // the result
  ir::Expression delta;

  ir::Expression rate(const Value& value) const { return value.rate.value_or(delta.constant(0)); }
  ir::Expression gap(const Value& value) const { return delta * rate(value); }  // to - from
};

// Called when at least one operand moves. nullptr: the operator has no rule.
using QuotientRule = Rate (*)(const Ends&);
QuotientRule quotient_rule(ir::Op op);

}  // namespace proxima::derive
