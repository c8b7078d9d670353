#include "runtime/solve/step/implicit_step.hpp"

#include "runtime/solve/objective/contacts.hpp"
#include "runtime/solve/step/step_given.hpp"
#include "runtime/solve/step/step_solution.hpp"
#include "runtime/solve/step/touching_solution.hpp"

namespace proxima::solve {

std::vector<double> given_force(const Objective& objective, const model::Model& model, double time,
                                const StepStart& start, const State& state) {
  const auto mass = objective.mass();
  std::vector<double> force = model::nodal_forces(model, time);
  for (const auto& load : model.surface_loads) model::add_force(load, time, state.positions, state.velocities, force);
  for (std::size_t i = 0; i < force.size(); ++i) {
    force[i] += mass[i / 3] * model.gravity[i % 3];
    if (start.row->inertia) force[i] += mass[i / 3] / start.step * start.velocities[i];
  }
  return force;
}

std::vector<double> solve_implicit(const Objective& objective, const model::Model& model, const StepSettings& settings,
                                   const ImplicitStep& step, const StepStart& start, const State& state,
                                   StepReport& report) {
  const StepGiven given(objective, model, step, start, state);
  if (objective.contacts().none()) return StepSolution<StepGiven>(given, settings, report).find();
  return TouchingSolution<StepGiven>(given, settings, report).find();
}

}  // namespace proxima::solve
