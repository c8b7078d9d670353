// Several worlds of one mesh, simulated side by side with one factor (shared_solve.hpp), or on a GPU, where all that
// they do goes there together (device/cuda_batch.hpp). They may differ in all values: parameters, actuation, motion of
// held nodes, initial states, solver settings.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "runtime/solve/objective/objective.hpp"

namespace proxima::solve {

struct World {
  std::string name;  // for messages
  Objective* objective;
  std::function<void()> run;  // all that it computes with its objective: steps, and their adjoints
};

struct SharedWork {
  std::int64_t applications = 0, passes = 0;  // of A^-1 by all worlds; readings of the factor for them
  std::int64_t requests = 0, launches = 0;    // on a GPU: launches and copies that worlds asked for; launches made
  SharedWork& operator+=(const SharedWork& other);
};

// Throws Error naming the world whose mesh or held nodes are not those of the first, that stores its factor in another
// precision, or whose solver is on another device: these do not run together.
void require_alike(std::span<const World> worlds);

// Runs all worlds, each on a thread of its own, with the A of the first as the preconditioner of all; those whose own A
// is the same get the bits that they get alone, others what their tolerance leaves open. A world whose A has to change
// on the way (steps in much shorter parts) goes on with its own. Throws what require_alike throws, and when all have
// ended, naming the world, what the first of those threw that did. All objectives end with an A of their own.
SharedWork run_worlds(std::span<const World> worlds);

}  // namespace proxima::solve
