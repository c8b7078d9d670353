// What a message says of the place where a step cannot be solved. The objective must have entered the step.
#pragma once

#include <span>
#include <string>

#include "runtime/solve/objective/objective.hpp"

namespace proxima::solve {

// The element where the energy is not finite at x, and what in the author's file has no value there.
std::string describe_outside(const Objective& objective, const ElasticEnergy& energy, std::span<const double> x);
// One whose forces are not finite; "" where there is none.
std::string describe_infinite(const Objective& objective, std::span<const double> x);
// The most compressed one.
std::string describe_compressed(const Objective& objective, std::span<const double> x);

}  // namespace proxima::solve
