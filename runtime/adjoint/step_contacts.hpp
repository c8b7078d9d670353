// The contacts of one implicit step, backward: what each law of contact does for step_adjoint.hpp.
#pragma once

#include <memory>
#include <span>

#include "compiler/derive/derive.hpp"
#include "runtime/adjoint/linear_solve.hpp"
#include "runtime/contact/matchstick.hpp"
#include "runtime/solve/step_start.hpp"

namespace proxima::adjoint {

class StepContacts {
 public:
  virtual ~StepContacts() = default;

  virtual bool any() const = 0;  // whether any contact carries a force
  // Whether the step is at a kink: a contact that touches without a force, or sticks with all the force that friction
  // has, or slides by nothing. The derivative is then that of the side the step is on.
  virtual bool degenerate() const = 0;

  // b is zero on held nodes, z will be; H as linearised here, with this product.
  virtual SolveEvidence solve(std::span<const double> b, derive::Quantity product, const AdjointSettings& settings,
                              std::span<double> z) = 0;

  // After solve(): adds the derivatives by the state before, by friction, restitution and obstacles to the gradient;
  // to `by_x` what positions of held nodes get, and to `by_rest`, empty where it is not wanted, what rest positions do.
  virtual void add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x,
                   std::span<double> before_v, std::span<double> by_rest, Gradient& gradient) const = 0;
};

// Of the implicit step that the objective, which has contacts, has entered, from `start` while the body is in the state
// `before`, to `after` at the time `end` (s).
std::unique_ptr<StepContacts> step_contacts(const solve::Objective& objective, const model::Model& model, double end,
                                            const solve::StepStart& start, const solve::State& before,
                                            std::span<const double> after, const AdjointSettings& settings);

// Adds the derivatives by the coefficients of a pair.
void add_friction(const contact::Coefficients& by, std::int32_t pair, Gradient& gradient);

}  // namespace proxima::adjoint
