#include "runtime/adjoint/touching_adjoint.hpp"

#include <algorithm>

#include "runtime/solve/contacts.hpp"

namespace proxima::adjoint {
namespace {

constexpr double finest = 1e-13;  // relative residual of a solve with contact to which nothing is to be added

}  // namespace

SolveEvidence TouchingAdjoint::find(const Step& step, const Vector& b, const std::optional<Guess<HostSweep>>& guess) {
  contact_ = step_contacts(objective(), model(), step.end, step.start, step.before, step.after, settings());
  if (contact_->degenerate()) add_once(step.number, gradient().kinks);
  if (!contact_->any()) {
    contact_.reset();
    return StepAdjoint::find(step, b, guess);
  }
  // With a guess as well as rounding lets it, so that nothing is left.
  AdjointSettings closely = settings();
  if (guess) closely.tolerance = std::min(closely.tolerance, finest);
  return contact_->solve(b, product(step), closely, z());
}

std::optional<TouchingAdjoint::Passed> TouchingAdjoint::add_contacts(Vector& by_x) {
  if (!contact_) return {};
  Passed before{objective().vector(), objective().vector()};
  contact_->add(z(), by_x, before.x, before.v, by_rest() != nullptr ? std::span(*by_rest()) : std::span<double>(),
                gradient());
  return before;
}

template <>
std::unique_ptr<StepAdjoint<HostSweep>> make_step_adjoint<HostSweep>(const solve::Objective& objective,
                                                                     const model::Model& model,
                                                                     const AdjointSettings& settings,
                                                                     Gradient& gradient) {
  if (!objective.contacts().none()) return std::make_unique<TouchingAdjoint>(objective, model, settings, gradient);
  return std::make_unique<StepAdjoint<HostSweep>>(objective, model, settings, gradient);
}

template <>
std::unique_ptr<StepAdjoint<CudaSweep>> make_step_adjoint<CudaSweep>(const solve::Objective& objective,
                                                                     const model::Model& model,
                                                                     const AdjointSettings& settings,
                                                                     Gradient& gradient) {
  return std::make_unique<StepAdjoint<CudaSweep>>(objective, model, settings, gradient);
}

}  // namespace proxima::adjoint
