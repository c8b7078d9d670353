// The adjoint of one step with contact, which is on the host.
#pragma once

#include <memory>

#include "runtime/adjoint/cuda_sweep.hpp"
#include "runtime/adjoint/host_sweep.hpp"
#include "runtime/adjoint/step_adjoint.hpp"
#include "runtime/adjoint/step_contacts.hpp"

namespace proxima::adjoint {

// What contacts do where any carries a force; as without contact where none does.
class TouchingAdjoint : public StepAdjoint<HostSweep> {
 public:
  using StepAdjoint<HostSweep>::StepAdjoint;

 protected:
  SolveEvidence find(const Step& step, const Vector& b, const std::optional<Guess<HostSweep>>& guess) override;
  std::optional<Passed> add_contacts(Vector& by_x) override;

 private:
  std::unique_ptr<StepContacts> contact_;  // of the step done last, where contacts carry forces
};

// Of the model's steps, with contact where it has any.
template <class Place>
std::unique_ptr<StepAdjoint<Place>> make_step_adjoint(const solve::Objective& objective, const model::Model& model,
                                                      const AdjointSettings& settings, Gradient& gradient);
template <>
std::unique_ptr<StepAdjoint<HostSweep>> make_step_adjoint<HostSweep>(const solve::Objective& objective,
                                                                     const model::Model& model,
                                                                     const AdjointSettings& settings,
                                                                     Gradient& gradient);
template <>
std::unique_ptr<StepAdjoint<CudaSweep>> make_step_adjoint<CudaSweep>(const solve::Objective& objective,
                                                                     const model::Model& model,
                                                                     const AdjointSettings& settings,
                                                                     Gradient& gradient);

}  // namespace proxima::adjoint
