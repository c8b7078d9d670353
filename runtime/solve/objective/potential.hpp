// The incremental potential of one step,
//   g(x) = 1/2 |x - x*|^2_I - p.(x - x*) + the energies of all elements   (I and those: Objective).
// Held nodes stay where they are in x. Knows nothing of time, predictors or how held nodes get to their places;
// solver.hpp minimises it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "runtime/solve/objective/objective.hpp"

namespace proxima::solve {

// The energies of all elements at x and their gradient, N, found together.
struct ElasticPoint {
  std::vector<double> x, gradient;
  ElasticEnergy energy;
};

class Potential {
 public:
  using System = Objective;

  // For the step that the objective has entered. `start`: x*, m; `force`: p, N; 3 a node, entries of held nodes do not
  // matter.
  Potential(const Objective& objective, std::vector<double> start, std::vector<double> force);

  const Objective& objective() const { return *objective_; }
  // g(x) and g(x1) - g(x0), J, without inertia and force of held nodes; `outside` as for the elastic energy.
  ElasticEnergy value(std::span<const double> x) const;
  ElasticEnergy difference(std::span<const double> x0, std::span<const double> x1) const;
  void gradient(std::span<const double> x, std::span<double> result) const;  // N
  // The elements' part of both. The last few points where this or g was asked for are remembered, since a step asks for
  // its guesses and its contacts again; the reference holds until the next such call.
  const ElasticPoint& elastic(std::span<const double> x) const;
  // The gradient with the forces of alternating directions in the place of those of the elements, whose dual it moves
  // on.
  void proximal_gradient(std::span<const double> x, ProximalDual& dual, std::span<double> result) const;
  std::span<const double> force() const { return force_; }         // zero on held nodes
  std::vector<double> imbalance(std::span<const double> x) const;  // its part I (x - x*) - p, N

 private:
  static constexpr std::size_t remembered = 4;  // three guesses and where a solver is

  void set_imbalance(std::span<const double> x, std::span<double> result) const;
  const ElasticPoint* known(std::span<const double> x) const;

  const Objective* objective_;
  std::vector<double> start_, force_;  // the second is zero on held nodes
  mutable std::array<ElasticPoint, remembered> known_;
  mutable std::size_t oldest_ = 0;
};

}  // namespace proxima::solve
