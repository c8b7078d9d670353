// Monte Carlo arithmetic (Parker 1997): how far the results of a graph move when every operation is off by a random
// rounding. Serves what a bound to first order cannot: decompositions whose vectors are not unique, loops, comparisons
// that a rounding may decide.
#pragma once

#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::jit::testing {

// For each result at one element's inputs, the largest change in a few runs with random roundings of the precision; NaN
// where results are sometimes NaN; infinite where something on the way is finite but beyond the precision's range.
std::vector<double> rounding_spread(const ir::Kernel& kernel, const std::vector<double>& inputs,
                                    emit::Precision precision);

// Whether the graph has composite operators or loops.
bool has_bundles(const ir::Graph& graph);

}  // namespace proxima::jit::testing
