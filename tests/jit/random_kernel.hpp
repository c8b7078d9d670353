// Random formulas over all operators, for tests that compare two ways to evaluate them.
#pragma once

#include "compiler/ir/kernel.hpp"

namespace proxima::jit::testing {

// `formulas` independent random graphs of the given seed in one kernel, one result each. Inputs are meant to lie
// between -2 and 2. Most operands stay in their operator's domain, not all.
ir::Kernel random_kernel(unsigned seed, int formulas);

}  // namespace proxima::jit::testing
