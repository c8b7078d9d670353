// All steps of a model, one after the other, every state kept in memory.
#pragma once

#include <vector>

#include "runtime/solve/step/stepper.hpp"

namespace proxima::solve {

// Where the model starts: its initial positions and velocities; held nodes where they are at time 0, with velocity
// zero, which no step looks at.
State initial_state(const model::Model& model);

// model.steps steps from `start`: states[0] is `start`, states[k] the one after step k. Throws what advance() throws.
std::vector<State> simulate(const Objective& objective, const model::Model& model, const StepSettings& settings,
                            const State& start, const StepCallback& each = {});

}  // namespace proxima::solve
