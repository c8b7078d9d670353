// The contacts of one implicit step, backward: what each law of contact does for step_adjoint.hpp.
#pragma once

#include <memory>
#include <span>

#include "runtime/adjoint/cuda_sweep.hpp"
#include "runtime/adjoint/host_sweep.hpp"
#include "runtime/adjoint/system_solver.hpp"
#include "runtime/contact/geometry.hpp"
#include "runtime/contact/matchstick.hpp"

namespace proxima::adjoint {

template <class Place>  // HostSweep, or CudaSweep
class StepContacts {
 public:
  using Vector = typename Place::Vector;
  using In = typename Place::In;
  using Out = typename Place::Out;

  virtual ~StepContacts() = default;

  virtual bool any() const = 0;  // whether any contact carries a force
  // Whether the step is at a kink: a contact that touches without a force, or sticks with all the force that friction
  // has, or slides by nothing. The derivative is then that of the side the step is on.
  virtual bool degenerate() const = 0;

  // b is zero on held nodes, z will be; H as linearised here, with this product.
  virtual SolveEvidence solve(In b, derive::Quantity product, const AdjointSettings& settings, Out z) = 0;

  // After solve(): adds the derivatives by the state before, by friction, restitution and obstacles to the gradient;
  // to `by_x` what positions of held nodes get, and to `by_rest`, empty where it is not wanted, what rest positions do.
  // z: of a ContactView; all on the host, 3 a node.
  virtual void add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x,
                   std::span<double> before_v, std::span<double> by_rest, Gradient& gradient) const = 0;
};

// Of the implicit step that the place, whose objective has contacts, has entered.
template <class Place>
std::unique_ptr<StepContacts<Place>> step_contacts(const Place& place, const ForwardStep<Place>& step,
                                                   const AdjointSettings& settings);

// Adds the derivatives by the coefficients of a pair.
void add_friction(const contact::Coefficients& by, std::int32_t pair, Gradient& gradient);

// Of a step whose positions start from `step.start`.
template <class Place>
contact::StepSpan span_of(const ForwardStep<Place>& step) {
  return {step.end - step.start.step / step.start.row->share, step.end, step.before.positions};
}

}  // namespace proxima::adjoint
