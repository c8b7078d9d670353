#include "runtime/solve/touching_solution.hpp"

#include <cmath>

#include "runtime/solve/contacts.hpp"

namespace proxima::solve {
namespace {

// Of the residual without forces of contact: where they leave less than this, it is a place to start from.
constexpr double balanced = 1e-3;

}  // namespace

TouchingSolution::TouchingSolution(const StepGiven& given, const StepSettings& settings, StepReport& report)
    : StepSolution(given, settings, report) {
  const ImplicitStep& step = given.step();
  const contact::StepSpan span{step.time - step.length, step.time, given.positions()};
  if (potential().objective().contacts().penalty())
    penalty_.emplace(potential(), span, given.velocities());
  else
    contacts_.emplace(potential(), span, given.velocities(), settings.contact.matrix);
}

auto TouchingSolution::best(std::vector<Vector>& guesses) -> Vector* {
  if (contacts_) return best_with_forces(guesses);
  double least = INFINITY;
  Vector* result = nullptr;
  for (auto& guess : guesses) {
    const double value = penalty_residual(guess);
    if (!std::isfinite(value) || value >= least) continue;
    least = value;
    result = &guess;
  }
  return result;
}

double TouchingSolution::penalty_residual(const Vector& x) {
  penalty_->contacts().add_near(x);
  return penalty_->evaluate(x).residual;
}

// A body that rests stays where it is, so x_n is looked at first, and no other where forces of contact balance nearly
// all that is there.
auto TouchingSolution::best_with_forces(std::vector<Vector>& guesses) -> Vector* {
  double least = INFINITY;
  Vector* result = nullptr;
  int starts = 0;
  for (auto guess = guesses.rbegin(); guess != guesses.rend(); ++guess) {
    ContactStart start = start_contact(*contacts_, *guess, StartForces::to_compare);
    ++starts;
    if (!std::isfinite(start.residual) || start.residual >= least) continue;
    least = start.residual;
    first_forces_ = std::move(start.forces);
    result = &*guess;
    if (start.residual < balanced * start.without_forces) break;
  }
  report().a_solves += (starts + 1) / 2;  // half a one each
  return result;
}

SolverOutcome TouchingSolution::lower(double target, double reference, Out x) {
  const ContactOutcome outcome = penalty_ ? solve_penalty(*penalty_, settings(), target, x)
                                          : solve_contact(*contacts_, settings(), target, first_forces_, x);
  why_ = outcome.why;
  const ContactReport before = report().contact;
  report().contact = outcome.report;
  report().contact.proximal += before.proximal;
  report().contact.newton += before.newton;
  report().contact.complementarity = outcome.report.complementarity / reference;
  return outcome.work;
}

std::string TouchingSolution::too_many_iterations(const SolverOutcome& outcome, double residual) const {
  return fmt::format("contacts not resolved in {} iterations, the residual is {:.3g} and should be {:.3g}{}{}",
                     outcome.iterations, residual, settings().tolerance, why_.empty() ? "" : ": ", why_);
}

}  // namespace proxima::solve
