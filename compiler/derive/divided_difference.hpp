// Divided differences of formulas: (f(x') - f(x)) / delta without the subtraction of nearly equal numbers, so that the
// quotient is right in all digits for every gap, and is the derivative where the gap is zero. Made node by node from
// the rules in divided_difference_rules.cpp, like a derivative from the partials.
//
// What it is for: derivatives of isotropic functions hold (s_i - s_j)/(sigma_i - sigma_j) for pairs of stretches, which
// are equal at rest (compiler/derive/spectral.hpp).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {

// (output(moved) - output(inputs)) / delta when inputs[k] moves to moved[k] = inputs[k] + delta * velocities[k].
// All are nodes of `graph`; inputs need not be Op::input. What moved[k] is must be true of the numbers, not of the
// formulas: give two inputs that change places as each other's moved[k]. A velocity that is the constant 0 does not
// move. Where delta is 0 the result is the derivative along the velocities. Where the ends lie in different branches of
// a select the difference is a plain one and costs digits; at the kinks of abs, min and max it does not.
// `still`: nodes whose value is known to be the same at both ends, which saves work and digits.
// Throws Error for an operator without a rule.
std::vector<ir::NodeId> divided_difference(ir::Graph& graph, std::span<const ir::NodeId> outputs,
                                           std::span<const ir::NodeId> inputs, std::span<const ir::NodeId> moved,
                                           std::span<const ir::NodeId> velocities, ir::NodeId delta,
                                           std::span<const ir::NodeId> still = {});

// Whether every operator between has a rule.
bool has_divided_difference(const ir::Graph& graph, std::span<const ir::NodeId> outputs,
                            std::span<const ir::NodeId> inputs);

// The rule of an operator in words, for the reference: a, b are the operands, f the result, a', b', f' the same at the
// other end, da = (a' - a)/delta. Empty for an operator without a rule.
std::string_view divided_difference_in_words(ir::Op op);

}  // namespace proxima::derive
