// Where a value stopped being a number: the first operator of a formula whose operands are finite and whose result is
// not, with the author's file and line. For messages after a calculation has failed; it takes no part in one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

struct NonFinite {
  NodeId node;
  std::vector<double> operands;  // those that are numbers; empty for an input
  double value = 0;              // NaN or an infinity
  std::string file;              // "" when nobody wrote it, nor any part of it
  std::uint32_t line = 0;
  bool derived = false;  // the operator comes from differentiation; file and line are those of what it is made from
  std::string text;      // "log of -0.31 at neo_hookean.cpp:14"; "input 3, which is nan"
};

// Evaluates `outputs` (numbers) by the interpreter, inputs[slot] being the value of input number `slot`, and follows
// the first of them that is not finite back to where that began. A branch that a select does not take is not looked at.
// Nothing when all outputs are finite. Throws what Interpreter throws.
std::optional<NonFinite> trace_nonfinite(const Graph& graph, std::span<const NodeId> outputs,
                                         std::span<const double> inputs);

}  // namespace proxima::ir
