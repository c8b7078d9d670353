// Steps of a body on the host.
#pragma once

#include "runtime/solve/step/implicit_step.hpp"
#include "runtime/solve/step/step_given.hpp"

namespace proxima::solve {

class HostPlace {
 public:
  using State = solve::State;
  using Start = StepStart;
  using System = Objective;
  using Potential = solve::Potential;

  // Keeps references.
  HostPlace(const Objective& objective, const model::Model& model) : objective_(objective), model_(model) {}

  const model::Model& model() const { return model_; }
  const Objective& objective() const { return objective_; }
  State copied(const State& state) const { return state; }
  // A state on the host as one here, and back; positions.
  State placed(const solve::State& state) const { return state; }
  solve::State on_host(State state) const { return state; }
  std::vector<double> placed(std::span<const double> positions) const { return {positions.begin(), positions.end()}; }
  // What controllers set in the step that begins with this state.
  std::vector<double> driven(int step, const State& state) const;
  // Where the whole step after a state, and one of some length by some integrator, go from.
  Start start(const State& state) const { return step_start(model_, state); }
  Start start(model::Integrator integrator, double length, const State& state) const {
    return step_start(integrator, length, state);
  }
  void enter(double time, const Start& start, const State& state, std::span<const double> driven) const;
  // As solve_implicit, of the step entered.
  std::vector<double> solve(const StepSettings& settings, const ImplicitStep& step, const Start& start,
                            const State& state, std::span<const double> driven, StepReport& report) const;
  SubStep sub_step(const ImplicitStep& step, const Start& start, const State& state,
                   const std::vector<double>& x) const;
  // What the step entered is given; keeps references.
  StepGiven given(const ImplicitStep& step, const Start& start, const State& state, std::span<const double>) const {
    return {objective_, model_, step, start, state};
  }
  // The state at the end of the step entered, whose positions are x.
  void move(const Start& start, std::vector<double> x, State& state) const;
  // Momentum and energies of the state after a step. What is stored then is a function of what is carried on from
  // there.
  void describe(int step, const State& state, std::span<const double> driven, StepReport& report) const;

 private:
  const Objective& objective_;
  const model::Model& model_;
};

}  // namespace proxima::solve
