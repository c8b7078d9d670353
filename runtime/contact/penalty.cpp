#include "runtime/contact/penalty.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/contact/slip_force.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

using mesh::add;
using mesh::dot;
using mesh::scaled;

PenaltyForce penalty_force(const PenaltyLaw& law, const Geometry& at) {
  const double depth = std::max(0.0, -at.gap);
  if (depth == 0) return {};
  const int power = law.penalty.exponent - 1;
  PenaltyForce result{.pressed = law.penalty.stiffness * std::pow(depth, power),
                      .steepness = law.penalty.stiffness * power * std::pow(depth, power - 1),
                      .direction = at.normal};
  add(result.direction, 1, slip_edge(law.cone, at.slip, law.relaxed));
  return result;
}

std::array<Vector3, 3> penalty_derivative(const PenaltyLaw& law, const Geometry& at) {
  const auto force = penalty_force(law, at);
  std::array<Vector3, 3> rows{};
  if (force.pressed == 0) return rows;
  for (std::size_t i = 0; i < 3; ++i) {
    Vector3 axis{};
    axis[i] = 1;
    rows[i] = scaled(-force.steepness * force.direction[i], at.normal);
    add(rows[i], force.pressed, slip_force_pull_back(law.cone, at.slip, axis, law.relaxed).slip);
  }
  return rows;
}

PenaltyBars penalty_pull_back(const PenaltyLaw& law, const Geometry& at, const Vector3& bar) {
  const auto force = penalty_force(law, at);
  PenaltyBars bars;
  bars.geometry.weights = {};
  if (force.pressed == 0) return bars;
  const auto slip = slip_force_pull_back(law.cone, at.slip, scaled(force.pressed, bar), law.relaxed);
  bars.geometry.gap = -force.steepness * dot(force.direction, bar);
  bars.geometry.normal = slip.normal;
  add(bars.geometry.normal, force.pressed, bar);
  bars.geometry.slip = slip.slip;
  bars.cone = slip.cone;
  bars.stiffness = force.pressed / law.penalty.stiffness * dot(force.direction, bar);
  bars.relaxed = slip.relaxed;
  return bars;
}

}  // namespace proxima::contact
