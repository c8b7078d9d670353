// L-BFGS-B 3.0 (Zhu, Byrd, Lu and Nocedal, ACM TOMS 778; Morales and Nocedal 2011), the Fortran library driven by
// reverse communication.
#pragma once

#include "runtime/optimize/method.hpp"

namespace proxima::optimize {

// A trial that has no value is answered by a quadratic that fits value and slope of the last iterate and has its
// minimum at a quarter of the failed step, so that the line search comes back to there and nothing false enters the
// memory.
std::unique_ptr<Method> make_lbfgsb(std::span<const double> start, const Box& box, const MethodSettings& settings);

}  // namespace proxima::optimize
