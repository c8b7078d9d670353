#include "runtime/solve/step/touching_solution.hpp"

#include <cmath>

#include "runtime/solve/objective/contacts.hpp"
#include "runtime/solve/step/cuda_given.hpp"
#include "runtime/solve/step/step_given.hpp"

namespace proxima::solve {
namespace {

// Of the residual without forces of contact: where they leave less than this, it is a place to start from.
constexpr double balanced = 1e-3;

}  // namespace

template <class Given>
TouchingSolution<Given>::TouchingSolution(const Given& given, const StepSettings& settings, StepReport& report)
    : StepSolution<Given>(given, settings, report),
      positions_(ContactView<System>(potential().objective()).seen(given.positions())),
      velocities_(ContactView<System>(potential().objective()).seen(given.velocities())) {
  const ImplicitStep& step = given.step();
  const contact::StepSpan span{step.time - step.length, step.time, positions_};
  if (ContactView<System>(potential().objective()).host().contacts().penalty())
    penalty_.emplace(potential(), span, velocities_);
  else
    contacts_.emplace(potential(), span, velocities_, settings.contact.matrix);
}

template <class Given>
auto TouchingSolution<Given>::best(std::vector<Vector>& guesses) -> Vector* {
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

template <class Given>
double TouchingSolution<Given>::penalty_residual(In x) {
  penalty_->add_near(x);
  return penalty_->evaluate(copied(x)).residual;
}

// A body that rests stays where it is, so x_n is looked at first, and no other where forces of contact balance nearly
// all that is there.
template <class Given>
auto TouchingSolution<Given>::best_with_forces(std::vector<Vector>& guesses) -> Vector* {
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
  this->report().a_solves += (starts + 1) / 2;  // the first half of each
  return result;
}

template <class Given>
SolverOutcome TouchingSolution<Given>::lower(double target, double reference, Out x) {
  const ContactOutcome outcome = penalty_ ? solve_penalty(*penalty_, this->settings(), target, x)
                                          : solve_contact(*contacts_, this->settings(), target, first_forces_, x);
  why_ = outcome.why;
  const ContactReport before = this->report().contact;
  this->report().contact = outcome.report;
  this->report().contact.proximal += before.proximal;
  this->report().contact.newton += before.newton;
  this->report().contact.complementarity = outcome.report.complementarity / reference;
  return outcome.work;
}

template <class Given>
std::string TouchingSolution<Given>::too_many_iterations(const SolverOutcome& outcome, double residual) const {
  return fmt::format("contacts not resolved in {} iterations, the residual is {:.3g} and should be {:.3g}{}{}",
                     outcome.iterations, residual, this->settings().tolerance, why_.empty() ? "" : ": ", why_);
}

template class TouchingSolution<StepGiven>;
template class TouchingSolution<CudaGiven>;

}  // namespace proxima::solve
