// How steps with contact are solved, and what they report (contact_step.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/contact/condensed.hpp"

namespace proxima::solve {

enum class ContactMethod : std::uint8_t {
  newton,
  proximal,
  fischer_burmeister,
  splitting,
};

// How a method is called by scenes, what it is, what solves the condensed problems of its proximal steps, and whether
// it takes Newton steps.
struct ContactMethodRow {
  ContactMethod method;
  std::string_view name, help;
  contact::CondensedMethod condensed;
  bool newton;
};
std::span<const ContactMethodRow> contact_methods();
const ContactMethodRow& contact_method_row(ContactMethod method);
// Throws Error listing the names where there is none of this name.
ContactMethod contact_method_named(std::string_view name);

struct ContactSettings {
  ContactMethod method = ContactMethod::newton;
  int max_iterations = 80;  // proximal and Newton steps together; ten times as many where there are no Newton steps
};

// Of a step: work over its sub-steps, the rest at its end.
struct ContactReport {
  int proximal = 0, newton = 0;       // steps of either kind that were taken
  int open = 0, stick = 0, slip = 0;  // contacts, of all that were looked at
  double complementarity = 0;         // the contacts' part of the relative residual
  double deepest = 0;                 // m: how far any contact is below its least gap
};

}  // namespace proxima::solve
