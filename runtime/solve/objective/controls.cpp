#include "runtime/solve/objective/controls.hpp"

#include <cmath>

#include "compiler/support/error.hpp"

namespace proxima::solve {
namespace {

std::size_t output_number(const ir::Function& function, const model::Drive& drive) {
  std::size_t number = drive.component;
  for (std::size_t k = 0; k < drive.output; ++k) number += function.outputs[k].roots.size();
  return number;
}

std::size_t output_count(const ir::Function& function) { return roots_of(function).size(); }

}  // namespace

Controls::Controls(const model::Model& model, jit::Engine& engine) : time_step_(model.time_step) {
  controllers_.reserve(model.controllers.size());
  for (const auto& source : model.controllers) {
    auto& controller = controllers_.emplace_back(
        Controller{source.name, UserFunction(source.function, engine), source.inputs, {}, {}, {}});
    for (const auto& drive : source.drives) {
      const auto& region = model.regions[drive.region];
      controller.components.push_back(output_number(*source.function, drive));
      controller.driven.push_back(region.energy->parameters[drive.parameter]);
      controller.regions.push_back(region.name);
      drives_.push_back(drive);
    }
    parameters_.push_back(source.parameters);
  }
}

void Controls::set_parameters(const ControllerParameters& parameters) {
  if (parameters.size() != controllers_.size())
    fail("parameters of {} controllers are given, the model has {}", parameters.size(), controllers_.size());
  for (std::size_t c = 0; c < parameters.size(); ++c)
    model::check_parameters(controllers_[c].function.function(), parameters[c],
                            fmt::format("controller '{}'", controllers_[c].name));
  parameters_ = parameters;
}

std::vector<double> Controls::observed(const Controller& controller, int step, const State& state) const {
  return observe(controller.inputs, (step + 1) * time_step_, state.positions, state.velocities);
}

std::vector<double> Controls::values(int step, const State& state) const {
  std::vector<double> result;
  result.reserve(drives_.size());
  for (std::size_t c = 0; c < controllers_.size(); ++c) {
    const auto& controller = controllers_[c];
    const auto outputs = controller.function.value(observed(controller, step, state), parameters_[c]);
    for (std::size_t d = 0; d < controller.components.size(); ++d) {
      const double value = outputs[controller.components[d]];
      const auto& parameter = controller.driven[d];
      if (!(value > parameter.lower && value < parameter.upper && std::isfinite(value)))
        fail("controller '{}' in step {}: sets parameter '{}' of region '{}' to {}, it must satisfy {}",
             controller.name, step + 1, parameter.name, controller.regions[d], value, model::interval_text(parameter));
      result.push_back(value);
    }
  }
  return result;
}

void Controls::pull_back(int step, const State& state, std::span<const double> bars, std::span<double> positions,
                         std::span<double> velocities, ControllerParameters& parameters) const {
  if (parameters.empty()) {
    parameters = parameters_;
    for (auto& controller : parameters)
      for (auto& parameter : controller) parameter.assign(parameter.size(), 0.0);
  }
  for (std::size_t c = 0; c < controllers_.size(); ++c) {
    const auto& controller = controllers_[c];
    std::vector<double> output_bars(output_count(controller.function.function()));
    for (std::size_t d = 0; d < controller.components.size(); ++d) output_bars[controller.components[d]] += bars[d];
    bars = bars.subspan(controller.components.size());
    const auto pulled = controller.function.pull_back(observed(controller, step, state), parameters_[c], output_bars);
    add_observed(controller.inputs, pulled.inputs, positions, velocities);
    for (std::size_t k = 0; k < pulled.parameters.size(); ++k)
      for (std::size_t i = 0; i < pulled.parameters[k].size(); ++i) parameters[c][k][i] += pulled.parameters[k][i];
  }
}

}  // namespace proxima::solve
