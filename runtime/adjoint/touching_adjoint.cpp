#include "runtime/adjoint/touching_adjoint.hpp"

#include <algorithm>

#include "runtime/solve/objective/contacts.hpp"

namespace proxima::adjoint {
namespace {

constexpr double finest = 1e-13;  // relative residual of a solve with contact to which nothing is to be added

}  // namespace

template <class Place>
SolveEvidence TouchingAdjoint<Place>::find(const Step& step, const Vector& b,
                                           const std::optional<Guess<Place>>& guess) {
  contact_ = step_contacts(this->place(), step, this->settings());
  if (contact_->degenerate()) add_once(step.number, this->gradient().kinks);
  if (!contact_->any()) {
    contact_.reset();
    return StepAdjoint<Place>::find(step, b, guess);
  }
  // With a guess as well as rounding lets it, so that nothing is left.
  AdjointSettings closely = this->settings();
  if (guess) closely.tolerance = std::min(closely.tolerance, finest);
  return contact_->solve(b, this->product(step), closely, this->z());
}

template <class Place>
auto TouchingAdjoint<Place>::add_contacts(Vector& by_x) -> std::optional<Passed> {
  if (!contact_) return {};
  const auto& place = this->place();
  Passed before{place.system().vector(), place.system().vector()};
  Vector unwanted;
  Vector& by_rest = this->by_rest() != nullptr ? *this->by_rest() : unwanted;
  const auto z = place.seen_by(Rule::contact, this->z());
  place.add_by(Rule::contact, by_x, before.x, [&](std::span<double> at, std::span<double> before_x) {
    place.add_by(Rule::contact, before.v, by_rest, [&](std::span<double> before_v, std::span<double> rest) {
      contact_->add(z, at, before_x, before_v, rest, this->gradient());
    });
  });
  return before;
}

template <class Place>
std::unique_ptr<StepAdjoint<Place>> make_step_adjoint(const solve::Objective& objective, const model::Model& model,
                                                      const AdjointSettings& settings, Gradient& gradient) {
  if (!objective.contacts().none())
    return std::make_unique<TouchingAdjoint<Place>>(objective, model, settings, gradient);
  return std::make_unique<StepAdjoint<Place>>(objective, model, settings, gradient);
}

template std::unique_ptr<StepAdjoint<HostSweep>> make_step_adjoint(const solve::Objective&, const model::Model&,
                                                                   const AdjointSettings&, Gradient&);
template std::unique_ptr<StepAdjoint<CudaSweep>> make_step_adjoint(const solve::Objective&, const model::Model&,
                                                                   const AdjointSettings&, Gradient&);

}  // namespace proxima::adjoint
