// The inputs of a rollout that its loss can be differentiated by, each with the adjoint's gradient, a random direction
// and the loss as a function of that input alone.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "apps/proxima/problem.hpp"

namespace proxima::app {

struct GradientInput {
  std::string name;  // "initial positions", "E[soft]"
  std::vector<double> point, gradient;
  std::vector<double> direction;  // scaled so that a distance of 1 is a large change
  std::function<double(std::span<const double>)> loss;
};

// Those that the scene's gradcheck section asks for. The functions refer to `problem` and `loss`.
std::vector<GradientInput> gradient_inputs(Problem& problem, const adjoint::Loss& loss);

}  // namespace proxima::app
