// How steps with contact are solved, and what they report (contact_step.hpp).
#pragma once

#include "runtime/contact/condensed.hpp"
#include "runtime/mesh/elements.hpp"

namespace proxima::solve {

// How positions move is the method of SolverSettings.
struct ContactSettings {
  contact::CondensedMethod condensed = contact::CondensedMethod::gauss_seidel;  // of the problems between the contacts
  // Whether the matrix between the contacts is stored; penalties have theirs stored.
  contact::CondensedStorage matrix = contact::CondensedStorage::by_size;
  int max_iterations = 80;  // proximal and Newton steps together; ten times as many of methods without Newton steps
};

// Of a step: work over its sub-steps, the rest at its end, of the last of them.
struct ContactReport {
  int proximal = 0, newton = 0;               // steps of either kind that were taken
  int open = 0, stick = 0, slip = 0;          // contacts, of all that were looked at
  double complementarity = 0;                 // the contacts' part of the relative residual
  double deepest = 0;                         // m: how far any contact is below its least gap
  mesh::Vector3 obstacle_force{};             // N: of all obstacles on the bodies
  std::vector<model::ContactKey> touching{};  // those that carry a force
};

}  // namespace proxima::solve
