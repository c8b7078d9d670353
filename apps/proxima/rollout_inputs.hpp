// The inputs of a rollout that its loss can be differentiated by, each with the adjoint's gradient and a random
// direction.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "apps/proxima/problem.hpp"

namespace proxima::app {

// A scene's rollout at the point where its gradient is taken. Refers to what it is made of.
struct CheckedRollout {
  // Prints what is not asked for by name and cannot be tested.
  CheckedRollout(Problem& problem, const adjoint::Loss& loss, const model::GradcheckChoices& choices);

  bool named(const std::string& group) const;
  bool wants(const std::string& group) const { return choices.inputs.empty() || named(group); }
  void differentiate();
  double loss_of(const model::Model& model) const;

  Problem& problem;
  const adjoint::Loss& loss;
  const model::GradcheckChoices& choices;
  solve::StepSettings steps;
  bool rest_shape;
  adjoint::Gradient gradient;

 private:
  bool wants_rest_shape() const;
};

struct RolloutInput {
  std::string name;  // "initial positions", "E[soft]"
  std::vector<double> point, gradient;
  std::vector<double> direction;                                    // scaled so that a distance of 1 is a large change
  std::function<void(std::span<const double>, model::Model&)> put;  // these values into a model
  bool of_objective = false;                                        // which has to take them, too
};

// Those that `rollout` wants, which has been differentiated.
std::vector<RolloutInput> rollout_inputs(const CheckedRollout& rollout, std::uint64_t seed);

}  // namespace proxima::app
