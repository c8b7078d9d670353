// Running error analysis: how far the results of a graph can move when every operation is off by a rounding.
#pragma once

#include <vector>

#include "compiler/ir/kernel.hpp"

namespace proxima::jit::testing {

// For each result of the kernel at one element's inputs, a first-order bound of its error in units of the machine
// epsilon, when constants and the results of all operations carry one unit of relative error each. Infinite where
// something on the way is finite but larger than `largest`, the largest number of the precision in question.
std::vector<double> rounding_bound(const ir::Kernel& kernel, const std::vector<double>& inputs, double largest);

}  // namespace proxima::jit::testing
