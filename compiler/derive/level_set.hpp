// A surface as the zero set of a function: how far a point is from it, and which way.
#pragma once

#include "compiler/ir/function.hpp"

namespace proxima::derive {

// From phi(x; p), a function of one input of three numbers and one output of one number: a function of the same input
// and parameters whose outputs are
//   "gap" 1     phi / |grad phi|, which is phi where phi is a distance, and elsewhere the distance to the zero set to
//               first order: on the zero set its gradient is the normal
//   "normal" 3  grad phi / |grad phi|
// Where grad phi is 0 they are phi and (0, 0, 1), with derivatives of 0.
ir::Function with_normal(const ir::Function& level);

}  // namespace proxima::derive
