// Derivatives of a number by the values of a region, in the shape of model::Region.
#pragma once

#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::solve {

struct RegionGradient {
  // One entry a parameter. `parameters`: one value, or one an element, zero where the parameter varies in time;
  // `signals`: one a key, none where it does not vary.
  std::vector<std::vector<double>> parameters, signals;
  std::vector<double> driven;  // one a parameter: by what a controller sets in its place, which `parameters` leaves out
  std::vector<std::vector<model::Vector3>> directions;  // by the vectors as they are given: one, or one an element
  double density = 0, mass_damping = 0;
  std::vector<double> stiffness_damping;  // none, one, or one an element
};

// All zero.
RegionGradient zero_gradient(const model::Region& region);

}  // namespace proxima::solve
