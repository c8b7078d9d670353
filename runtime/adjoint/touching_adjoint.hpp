// The adjoint of one step with contact.
#pragma once

#include <memory>

#include "runtime/adjoint/step_adjoint.hpp"
#include "runtime/adjoint/step_contacts.hpp"

namespace proxima::adjoint {

// What contacts do where any carries a force; as without contact where none does.
template <class Place>  // HostSweep, or CudaSweep
class TouchingAdjoint : public StepAdjoint<Place> {
 public:
  using StepAdjoint<Place>::StepAdjoint;
  using typename StepAdjoint<Place>::Step;
  using typename StepAdjoint<Place>::Vector;
  using typename StepAdjoint<Place>::Passed;

 protected:
  SolveEvidence find(const Step& step, const Vector& b, const std::optional<Guess<Place>>& guess) override;
  std::optional<Passed> add_contacts(Vector& by_x) override;

 private:
  std::unique_ptr<StepContacts<Place>> contact_;  // of the step done last, where contacts carry forces
};

// Of the model's steps, with contact where it has any.
template <class Place>
std::unique_ptr<StepAdjoint<Place>> make_step_adjoint(const solve::Objective& objective, const model::Model& model,
                                                      const AdjointSettings& settings, Gradient& gradient);

}  // namespace proxima::adjoint
