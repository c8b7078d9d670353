// What gradcheck differentiates by: the inputs of a scene, or of several that are worlds of one mesh, whose losses add
// up and are evaluated side by side (runtime/solve/step/worlds.hpp).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "apps/proxima/problem.hpp"

namespace proxima::app {

struct CheckedScene {
  Problem problem;
  std::shared_ptr<const adjoint::Loss> loss;
};

struct GradientInput {
  std::string name;                                // of several scenes, that of all inputs of this name
  std::vector<double> point, gradient, direction;  // of several scenes, one behind the other
  std::function<double(std::span<const double>)> loss;
};

// Those that the gradcheck section of the first scene asks for. The functions refer to `scenes` and `work`, to which
// they add what worlds shared. Throws Error naming a world that does not run beside the first.
std::vector<GradientInput> gradient_inputs(std::vector<CheckedScene>& scenes, solve::SharedWork& work);

}  // namespace proxima::app
