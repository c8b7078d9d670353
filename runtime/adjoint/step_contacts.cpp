#include "runtime/adjoint/step_contacts.hpp"

#include "runtime/adjoint/contact_adjoint.hpp"
#include "runtime/adjoint/penalty_adjoint.hpp"
#include "runtime/solve/objective/contacts.hpp"

namespace proxima::adjoint {

template <class Place>
std::unique_ptr<StepContacts<Place>> step_contacts(const Place& place, const ForwardStep<Place>& step,
                                                   const AdjointSettings& settings) {
  if (place.host().contacts().penalty()) return std::make_unique<PenaltyAdjoint<Place>>(place, step);
  return std::make_unique<ContactAdjoint<Place>>(place, step, settings.contact_matrix);
}

template std::unique_ptr<StepContacts<HostSweep>> step_contacts(const HostSweep&, const ForwardStep<HostSweep>&,
                                                                const AdjointSettings&);
template std::unique_ptr<StepContacts<CudaSweep>> step_contacts(const CudaSweep&, const ForwardStep<CudaSweep>&,
                                                                const AdjointSettings&);

void add_friction(const contact::Coefficients& by, std::int32_t pair, Gradient& gradient) {
  const auto k = static_cast<std::size_t>(pair);
  gradient.friction[k] += by.along;
  gradient.friction_across[k] += by.across;
  gradient.friction_crossed[k] += by.crossed;
}

}  // namespace proxima::adjoint
