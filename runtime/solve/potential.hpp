// The incremental potential g of one step, with its inertial target y fixed. Held nodes stay where they are in x. Knows
// nothing of time, predictors or how held nodes get to their places; solver.hpp minimises it.
#pragma once

#include <span>
#include <vector>

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

}  // namespace proxima::solve
