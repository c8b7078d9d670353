// What the methods of solver.hpp are where there is contact: how a body moves between two solutions for its contacts.
#pragma once

#include <memory>

#include "runtime/solve/acceleration.hpp"
#include "runtime/solve/solver.hpp"

namespace proxima::solve {

// When Newton steps are tried: in every iteration; once the steps before them are slow, or near (then_newton.hpp);
// never.
enum class FaceSteps : std::uint8_t { at_once, when_slow, never };

struct ContactMethodRow {
  Method method;
  FaceSteps newton;
  // Of the steps between them; null: they are not made longer, but those of alternating directions, whose global step
  // is the contacts' condensed problem.
  std::unique_ptr<Acceleration> (*accelerate)(int window);
};
const ContactMethodRow& contact_method_row(Method method);
// Throws Error for a method that has no form for contact by penalties.
void require_for_penalties(Method method);

}  // namespace proxima::solve
