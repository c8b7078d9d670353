// What the methods of solver.hpp are where there is contact: how a body moves between two solutions for its contacts.
#pragma once

#include <memory>

#include "runtime/solve/contact/acceleration.hpp"
#include "runtime/solve/methods/solver.hpp"

namespace proxima::solve {

// When Newton steps are tried: in every iteration; once the steps before them are slow, or near (then_newton.hpp);
// never.
enum class FaceSteps : std::uint8_t { at_once, when_slow, never };

// How the steps between them are made longer.
enum class Longer : std::uint8_t {
  by_mixing,
  by_pairs,    // quasi_newton
  not_at_all,  // those of alternating directions, whose global step is the contacts' condensed problem
};

struct ContactMethodRow {
  Method method;
  FaceSteps newton;
  Longer longer;
};
const ContactMethodRow& contact_method_row(Method method);

// Null where steps are not made longer.
template <class System>
std::unique_ptr<Acceleration<System>> make_acceleration(Longer longer, int window) {
  if (longer == Longer::not_at_all) return nullptr;
  return longer == Longer::by_mixing ? anderson_mixing<System>(window) : quasi_newton<System>(window);
}

// Throws Error for a method that has no form for contact by penalties.
void require_for_penalties(Method method);

}  // namespace proxima::solve
