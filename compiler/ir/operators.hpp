// The operator table: one row an operator, read by the graph, the interpreter, differentiation, the emitters and the
// documentation. A new operator is a new row here, and nothing else unless an emitter has no word for it.
// Truth values are computed as the numbers 0 and 1 by the interpreter; in a graph they are a type of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

enum class Op : std::uint8_t {
  constant,
  input,
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  cbrt,
  exp,
  expm1,
  log,
  log1p,
  pow,
  sin,
  cos,
  tan,
  atan2,
  tanh,
  abs,
  min,
  max,
  less,
  less_equal,
  equal,
  logical_and,
  logical_or,
  logical_not,
  select,
};
inline constexpr int op_count = static_cast<int>(Op::select) + 1;

enum class Type : std::uint8_t { number, truth };

// How a target makes the operator from what it has.
enum class Form : std::uint8_t {
  leaf,               // constant or input
  arithmetic,         // LLVM instruction `llvm` on floating-point vectors
  intrinsic,          // LLVM intrinsic `llvm`, one machine instruction
  library,            // a vector mathematical function, C name `llvm`
  comparison,         // fcmp with predicate `llvm`
  comparison_select,  // select(fcmp `llvm` a b, a, b)
  logic,              // LLVM instruction `llvm` on i1 vectors; logical_not is xor with true
  select,
};

struct Operator {
  Op op;
  std::string_view name;  // as in the language and in printouts
  std::uint8_t arity;
  Type operand_types[3];
  Type result;
  bool commutative;  // a op b equals b op a in every bit
  bool exact;        // correctly rounded on every target, so that constants may be folded

  double (*evaluate)(const double* x);
  long double (*evaluate_extended)(const long double* x);

  // d result / d operand k as a node; nullptr where there is no derivative (truth values). `self` is the result, `x`
  // the operands. The rule may return the constants 0 and 1, and select(c, p, 0) where operand k counts only when c.
  NodeId (*partial)(Graph& graph, NodeId self, const NodeId* x, int k);

  std::string_view derivative;  // the same in words, for the reference
  std::string_view domain;      // where the value is finite
  std::string_view singular;    // what happens at its edge, and the convention at kinks

  int cost;  // throughput in a vector kernel, in units of one addition
  Form form;
  std::string_view llvm;
  std::string_view c;  // C++ and CUDA, $0 $1 $2 for the operands
};

std::span<const Operator, op_count> operators();
inline const Operator& describe(Op op) { return operators()[static_cast<std::size_t>(op)]; }

}  // namespace proxima::ir
