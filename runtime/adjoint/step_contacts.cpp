#include "runtime/adjoint/step_contacts.hpp"

#include "runtime/adjoint/contact_adjoint.hpp"
#include "runtime/adjoint/penalty_adjoint.hpp"
#include "runtime/solve/contacts.hpp"

namespace proxima::adjoint {

std::unique_ptr<StepContacts> step_contacts(const solve::Objective& objective, const model::Model& model, double end,
                                            const solve::StepStart& start, const solve::State& before,
                                            std::span<const double> after, const AdjointSettings& settings) {
  if (objective.contacts().penalty())
    return std::make_unique<PenaltyAdjoint>(objective, model, end, start, before, after);
  return std::make_unique<ContactAdjoint>(objective, model, end, start, before, after, settings.contact_matrix);
}

void add_friction(const contact::Coefficients& by, std::int32_t pair, Gradient& gradient) {
  const auto k = static_cast<std::size_t>(pair);
  gradient.friction[k] += by.along;
  gradient.friction_across[k] += by.across;
  gradient.friction_crossed[k] += by.crossed;
}

}  // namespace proxima::adjoint
