#include "runtime/contact/condensed.hpp"

#include <string>

#include "compiler/support/error.hpp"
#include "runtime/contact/condensed_point.hpp"
#include "runtime/contact/fischer_burmeister.hpp"
#include "runtime/contact/gauss_seidel.hpp"
#include "runtime/contact/splitting.hpp"

namespace proxima::contact {
namespace {

constexpr CondensedEntry table[] = {
    {CondensedMethod::gauss_seidel, "gauss_seidel",
     "one contact after another, each solved exactly, and Newton on the face found", run_gauss_seidel},
    {CondensedMethod::fischer_burmeister, "fischer_burmeister",
     "semi-smooth Newton on smoothed Fischer-Burmeister functions of all contacts", run_fischer_burmeister},
    {CondensedMethod::splitting, "splitting",
     "all contacts at once against the forces before, with a diagonal split off", run_splitting},
};

}  // namespace

std::span<const CondensedEntry> condensed_methods() { return table; }

CondensedMethod condensed_method_named(std::string_view name) {
  std::string names;
  for (const auto& entry : table) {
    if (entry.name == name) return entry.method;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  fail("there is no contact method '{}'; there are {}", name, names);
}

CondensedOutcome solve_condensed(const CondensedMatrix& D, std::span<const CondensedContact> contacts,
                                 std::span<const double> s0, std::span<double> f, const CondensedSettings& settings) {
  CondensedOutcome outcome;
  CondensedPoint point(D, contacts, s0, f);
  for (const CondensedEntry& entry : table)
    if (entry.method == settings.method) entry.run(point, settings, outcome);
  point.refresh();
  outcome.residual = point.residual();
  outcome.converged = outcome.residual <= settings.tolerance;
  outcome.states.reserve(contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    outcome.states.push_back(project(contacts[c], point.trial(c)).state);
    ++(outcome.states.back() == model::ContactState::open    ? outcome.open
       : outcome.states.back() == model::ContactState::stick ? outcome.stick
                                                             : outcome.slip);
  }
  return outcome;
}

}  // namespace proxima::contact
