#include "runtime/solve/step/rollout.hpp"

namespace proxima::solve {

State initial_state(const model::Model& model) {
  State state{model.initial_positions, model.initial_velocities, model::initial_history(model)};
  for (const auto& [node, position] : model::dirichlet_positions(model, 0))
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t i = 3 * static_cast<std::size_t>(node) + axis;
      state.positions[i] = position[axis];
      state.velocities[i] = 0;
    }
  return state;
}

std::vector<State> simulate(const Objective& objective, const model::Model& model, const StepSettings& settings,
                            const State& start, const StepCallback& each) {
  std::vector<State> states{start};
  states.reserve(static_cast<std::size_t>(model.steps) + 1);
  run_steps(*make_stepper(objective, model, settings, start), 0, model.steps,
            [&](int done, const State& state, const StepReport& report) {
              states.push_back(state);
              if (each) each(done, state, report);
            });
  return states;
}

}  // namespace proxima::solve
