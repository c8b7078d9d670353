// The incremental potential g of one step, with its inertial target y fixed, and its minimisation by inexact Newton.
// Held nodes stay where they are in x. Knows nothing of time, predictors or how held nodes get to their places.
#pragma once

#include <span>
#include <vector>

#include "runtime/solve/conjugate_gradients.hpp"
#include "runtime/solve/objective.hpp"

namespace proxima::solve {

class Potential {
 public:
  // y: 3 a node, m; its entries of held nodes do not matter.
  Potential(const Objective& objective, std::vector<double> y);

  const Objective& objective() const { return *objective_; }
  // g(x) and g(x1) - g(x0), J, without the inertia of held nodes; `outside` as for the elastic energy.
  ElasticEnergy value(std::span<const double> x) const;
  ElasticEnergy difference(std::span<const double> x0, std::span<const double> x1) const;
  void gradient(std::span<const double> x, std::span<double> result) const;  // N
  std::vector<double> inertial_force(std::span<const double> x) const;       // M (x - y)/h^2 on free nodes, N

 private:
  const Objective* objective_;
  std::vector<double> y_;
  std::vector<double> inertia_;  // m/h^2, one a node, zero on held ones
};

struct NewtonSettings {
  double target = 0;  // |grad g| to reach, N
  int max_iterations = 100;
  int max_cg = 2000;
};

enum class NewtonEnd {
  converged,
  rounding,    // cannot be lowered further and is what rounding of positions explains
  iterations,  // max_iterations were not enough
  stuck,       // no step along a descent direction lowers g
};

struct NewtonOutcome {
  NewtonEnd end = NewtonEnd::converged;
  double gradient = 0;  // |grad g| reached
  int iterations = 0, a_solves = 0, halvings = 0;
  bool negative_curvature = false;
};

// Lowers g from x, in place; g(x) must be finite. Elements never leave their energy's domain on the way.
NewtonOutcome minimise(const Potential& potential, const NewtonSettings& settings, std::span<double> x);

}  // namespace proxima::solve
