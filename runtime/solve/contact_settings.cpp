#include "runtime/solve/contact_settings.hpp"

#include <algorithm>
#include <string>

#include "compiler/support/error.hpp"

namespace proxima::solve {
namespace {

using contact::CondensedMethod;

constexpr ContactMethodRow table[] = {
    {ContactMethod::newton, "newton", "proximal steps, and Newton on the face that they find",
     CondensedMethod::gauss_seidel, true},
    {ContactMethod::proximal, "proximal", "proximal steps with Anderson's mixing alone", CondensedMethod::gauss_seidel,
     false},
    {ContactMethod::fischer_burmeister, "fischer_burmeister",
     "the same, their condensed problems by Newton on smoothed Fischer-Burmeister functions",
     CondensedMethod::fischer_burmeister, false},
    {ContactMethod::splitting, "splitting", "the same, their condensed problems by matrix splitting",
     CondensedMethod::splitting, false},
};

}  // namespace

std::span<const ContactMethodRow> contact_methods() { return table; }

const ContactMethodRow& contact_method_row(ContactMethod method) {
  return *std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return row.method == method; });
}

ContactMethod contact_method_named(std::string_view name) {
  std::string names;
  for (const auto& row : table) {
    if (row.name == name) return row.method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  fail("there is no method for contact called '{}'; there are {}", name, names);
}

}  // namespace proxima::solve
