// What a body has at the end of a time step.
#pragma once

#include <vector>

#include "runtime/model/contact.hpp"

namespace proxima::solve {

struct State {
  std::vector<double> positions;   // m
  std::vector<double> velocities;  // m/s
  std::vector<double> history{};   // what energies carry from step to step, as model::initial_history lays it out
  // One step earlier, where the integrator looks at two states. Empty at the start: the first step has one.
  std::vector<double> previous_positions{}, previous_velocities{};
  int substeps = 1;  // of the step that led here
  // What touched at its end, for the adjoint: which contacts there are depends on where iterations went.
  std::vector<model::ContactKey> touching{};
};

}  // namespace proxima::solve
