// The incremental potential of one step,
//   g(x) = 1/2 |x - x*|^2_I - p.(x - x*) + the energies of all elements   (I and those: Objective).
// Held nodes stay where they are in x. Knows nothing of time, predictors or how held nodes get to their places;
// solver.hpp minimises it.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/objective.hpp"

namespace proxima::solve {

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
  // The gradient with the forces of alternating directions in the place of those of the elements, whose dual it moves
  // on.
  void proximal_gradient(std::span<const double> x, ProximalDual& dual, std::span<double> result) const;
  std::span<const double> start() const { return start_; }
  std::span<const double> force() const { return force_; }         // zero on held nodes
  std::vector<double> imbalance(std::span<const double> x) const;  // its part I (x - x*) - p, N

 private:
  void set_imbalance(std::span<const double> x, std::span<double> result) const;

  const Objective* objective_;
  std::vector<double> start_, force_;  // the second is zero on held nodes
};

}  // namespace proxima::solve
