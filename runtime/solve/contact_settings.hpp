// How steps with contact are solved, and what they report (contact_step.hpp).
#pragma once

namespace proxima::solve {

struct ContactSettings {
  int max_iterations = 80;  // proximal and Newton steps together
  int window = 5;           // of Anderson's mixing
  int restart = 80;         // vectors that GMRES keeps
};

// Of a step: work over its sub-steps, the rest at its end.
struct ContactReport {
  int proximal = 0, newton = 0;       // steps of either kind that were taken
  int open = 0, stick = 0, slip = 0;  // contacts, of all that were looked at
  double complementarity = 0;         // the contacts' part of the relative residual
  double deepest = 0;                 // m: how far any contact is below its least gap
};

}  // namespace proxima::solve
