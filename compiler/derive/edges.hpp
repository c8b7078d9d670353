// One application seen from differentiation: how the result moves with each operand. Internal to this room.
#pragma once

#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::derive {

// d result = multiplicity * factor * d operand, where `condition` (if any) is `taken`; else the operand has no
// influence. Conditions come from the rules of select, min, max and pow, never from a select that an author has
// multiplied with, so all conditional edges of a node have the same condition.
struct Edge {
  ir::NodeId operand;
  ir::NodeId factor;
  bool factor_chooses = false;  // the rule made the factor a select (abs)
  int multiplicity = 1;         // 2 for both operands of x*x
  ir::NodeId condition = {};    // NodeId{} when unconditional
  bool taken = true;

  bool conditional() const { return condition != ir::NodeId{}; }
};

// The edges of `node` whose partial is not structurally zero, to the operands for which needed[index] holds.
std::vector<Edge> edges_of(ir::Graph& graph, ir::NodeId node, const std::vector<bool>& needed);

// multiplicity * factor * movement. A factor that chooses is multiplied branch by branch, and a branch that is 0 stays
// 0, whatever the movement is.
ir::NodeId along(ir::Graph& graph, const Edge& edge, ir::NodeId movement);

// The truth value whose meaning is "condition is taken".
ir::NodeId holds(ir::Graph& graph, const Edge& edge);

}  // namespace proxima::derive
