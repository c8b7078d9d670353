// The controllers of a model as compiled functions: what they set in a step, and the adjoint of that.
#pragma once

#include <span>
#include <vector>

#include "runtime/model/model.hpp"
#include "runtime/solve/objective/state.hpp"
#include "runtime/solve/region/user_function.hpp"

namespace proxima::solve {

// [controller][parameter of its function][component]
using ControllerParameters = std::vector<std::vector<std::vector<double>>>;

class Controls {
 public:
  Controls(const model::Model& model, jit::Engine& engine);

  // Which parameters are set, controller after controller; values and bars are in this order.
  const std::vector<model::Drive>& drives() const { return drives_; }

  // Throws Error as model::check_controllers for values outside their intervals.
  void set_parameters(const ControllerParameters& parameters);
  const ControllerParameters& parameters() const { return parameters_; }

  // What holds for the whole of the step that starts from `state`, number `step` from 0. Throws Error naming
  // controller, step, value and interval where one is not allowed.
  std::vector<double> values(int step, const State& state) const;

  // From the derivatives of all that follows by those values: adds those by the positions and velocities of `state`,
  // and by the controllers' parameters, which is sized if it is empty.
  void pull_back(int step, const State& state, std::span<const double> bars, std::span<double> positions,
                 std::span<double> velocities, ControllerParameters& parameters) const;

 private:
  struct Controller {
    std::string name;
    mutable UserFunction function;
    std::vector<model::Observation> inputs;
    std::vector<std::size_t> components;  // of each drive: which of all its outputs' numbers
    std::vector<ir::Parameter> driven;    // of each drive
    std::vector<std::string> regions;     // of each drive
  };
  std::vector<double> observed(const Controller& controller, int step, const State& state) const;

  double time_step_;
  std::vector<Controller> controllers_;
  std::vector<model::Drive> drives_;
  ControllerParameters parameters_;
};

}  // namespace proxima::solve
