// What an implicit step is given: where it starts, forces, where held nodes go, and words for what goes wrong. Of a
// body on the host; CudaGiven is that of one on a GPU.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/solve/objective/potential.hpp"
#include "runtime/solve/step/implicit_step.hpp"
#include "runtime/solve/step/step_words.hpp"

namespace proxima::solve {

class StepGiven {
 public:
  using Potential = solve::Potential;

  // Of the step that the objective has entered. Keeps references.
  StepGiven(const Objective& objective, const model::Model& model, const ImplicitStep& step, const StepStart& start,
            const State& state);

  const ImplicitStep& step() const { return step_; }
  const Potential& potential() const { return potential_; }
  bool inertia() const { return start_.row->inertia; }
  const std::vector<double>& positions() const { return state_.positions; }  // x_n
  const std::vector<double>& velocities() const { return state_.velocities; }

  // Puts held nodes at `fraction` of the way from where x_n has them to their targets.
  void place_held(double fraction, std::span<double> x) const;
  // Where the body would be without its elements: x* + p/I on free nodes.
  void set_free_flight(std::span<double> x) const;

  // As in step_words.hpp.
  std::string describe_outside(const ElasticEnergy& energy, std::span<const double> x) const {
    return solve::describe_outside(objective_, energy, x);
  }
  std::string describe_infinite(std::span<const double> x) const { return solve::describe_infinite(objective_, x); }
  std::string describe_compressed(std::span<const double> x) const { return solve::describe_compressed(objective_, x); }

 private:
  const Objective& objective_;
  const ImplicitStep& step_;
  const StepStart& start_;
  const State& state_;
  std::vector<std::pair<std::int32_t, model::Vector3>> targets_;
  Potential potential_;
};

}  // namespace proxima::solve
