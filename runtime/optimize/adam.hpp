// Adam (Kingma and Ba 2015, algorithm 1) with each step projected onto the bounds. Steps have about the same length
// whatever the gradient's size, and go on through what is small and rough; it does not lower the value at each.
#pragma once

#include "runtime/optimize/method.hpp"

namespace proxima::optimize {

// A step to a point that has no value is tried again at a quarter of its length; later steps grow back to the whole
// length by doubling.
std::unique_ptr<Method> make_adam(std::span<const double> start, const Box& box, const MethodSettings& settings);

}  // namespace proxima::optimize
