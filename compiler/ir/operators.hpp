// The operator table: one row an operator, read by the graph, the interpreter, differentiation, the emitters and the
// documentation. A new operator is a new row here, and nothing else unless an emitter has no word for it.
// Truth values are computed as the numbers 0 and 1 by the interpreter; in a graph they are a type of their own.
//
// Most operators give one number. A composite operator gives a bundle of several, of which `part` picks one: the
// decompositions of a 3x3 matrix, and the loop. They are kept whole so that their derivatives can have rules of their
// own (compiler/derive/spectral); emitters see arithmetic and loops in their place (compiler/emit/lower).
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
  // Composite: what is not one machine operation on numbers.
  gap,
  part,
  svd,
  polar,
  eigen,
  svd_compose,
  eigen_compose,
  loop,
};
inline constexpr int op_count = static_cast<int>(Op::select) + 1;  // simple operators
inline constexpr int all_op_count = static_cast<int>(Op::loop) + 1;

enum class Type : std::uint8_t { number, truth, bundle };

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
  composite,  // replaced by arithmetic and loops before anything is emitted
  part,       // no operation: one value of a bundle
  loop,
};

// As an operator's arity or number of parts: given by the loop.
inline constexpr std::uint8_t varying = 255;

struct Operator {
  Op op;
  std::string_view name;  // as in the language and in printouts
  std::uint8_t arity;
  Type operand_types[3];  // of operands 0 and 1, and of all further ones
  Type result;
  std::uint8_t parts;  // values of a bundle; 0 for a number or truth value
  bool commutative;    // a op b equals b op a in every bit
  bool exact;          // correctly rounded on every target, so that constants may be folded

  double (*evaluate)(const double* x);
  long double (*evaluate_extended)(const long double* x);
  // Of a bundle: writes its parts. A bundle among the operands is given by its parts, in its place.
  void (*evaluate_parts)(const double* x, double* parts);
  void (*evaluate_parts_extended)(const long double* x, long double* parts);

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

  Type operand_type(std::size_t k) const { return operand_types[k < 3 ? k : 2]; }
};

std::span<const Operator, all_op_count> all_operators();
inline std::span<const Operator, op_count> operators() { return all_operators().first<op_count>(); }  // simple ones
inline std::span<const Operator, all_op_count - op_count> composite_operators() {
  return all_operators().last<all_op_count - op_count>();
}
inline const Operator& describe(Op op) { return all_operators()[static_cast<std::size_t>(op)]; }

}  // namespace proxima::ir
