// Proximal steps with contact: positions by a step in the metric of A, forces by the condensed problem at its end.
#pragma once

#include <optional>

#include "runtime/solve/contact_methods.hpp"
#include "runtime/solve/contact_point.hpp"
#include "runtime/solve/contact_settings.hpp"

namespace proxima::solve {

class ProximalSteps {
 public:
  // Steps are made longer as the method has it, those before remembered. `target`: the residual (N) that they are to
  // come down to. Keeps a reference.
  ProximalSteps(ContactEquations& equations, const SolverSettings& method, contact::CondensedMethod condensed,
                double target);

  // The forces that a step from there finds; half an application of A^-1.
  std::vector<double> forces(const ContactPoint& from, const contact::CondensedSettings& settings = {});
  // One step; contacts that are met on the way are added. One application of A^-1, two where steps are alternating
  // directions that leave too much undone.
  ContactPoint take(ContactPoint from, SolverOutcome& work);
  // The next step does not know the ones before: after a step of another kind, or where contacts have been added.
  void forget();

 private:
  ContactPoint accelerated(const ContactPoint& from, ContactPoint plain, std::span<const double> moved,
                           SolverOutcome& work);
  std::optional<ContactPoint> alternate(ContactPoint& from, SolverOutcome& work);
  // Where `gradient` leads to from a point, with its forces.
  struct Move {
    std::vector<double> x, forces;
  };
  Move solve(ContactPoint& from, std::span<const double> gradient, SolverOutcome& work);
  double share_of_target(const ContactPoint& from) const;
  void halve(std::span<const double> gradient);
  std::vector<double> condensed(const ContactPoint& from, contact::CondensedSettings settings);
  void move(std::span<const double> from, std::span<double> result);

  ContactEquations& equations_;
  ContactSet& contacts_;
  const Preconditioner& a_;
  contact::CondensedMethod method_;
  double target_;
  std::unique_ptr<Acceleration> acceleration_;  // null: steps of alternating directions
  std::optional<ProximalDual> dual_;            // of them, from the step before
  std::vector<double> rows_, half_;
};

}  // namespace proxima::solve
