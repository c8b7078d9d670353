// One contact between up to four nodes, or a node and an obstacle, as the numbers that forces depend on.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "runtime/model/contact.hpp"

namespace proxima::contact {

using mesh::Vector3;

// The step that contacts are of: from time `begin` (s), where nodes are at `start` (m, 3 a node), to time `end`.
struct StepSpan {
  double begin = 0, end = 0;
  std::span<const double> start;
};

// At positions x. The contact's force f acts on its node k as weights[k] f, and the gap changes as
// d gap = normal . sum of weights[k] dx_k for small dx: weights are 1 of a node at an obstacle, 1 and minus the
// barycentric coordinates of a vertex and a face, and 1 - s, s, t - 1, -t of points s and t on two edges. Nodes that
// the key leaves out have weight 0.
struct Geometry {
  double gap = 0;    // m, negative where the two are in one another
  Vector3 normal{};  // unit, from the other side to the first
  std::array<double, 4> weights{1, 0, 0, 0};
  Vector3 slip{};  // m: what the first side has moved against the other since the start, sum of weights[k] (x_k -
                   // start_k) less the obstacle's own motion there
  // Of friction, of the other side and of the first, in space, of any length; zero: there is none. Of bodies it is that
  // at the start of the step, with the same weights between nodes.
  Vector3 direction{}, own_direction{};
};

// Where derivatives by positions are added: at the nodes, or at four vectors a contact, one for each of its nodes.
enum class Places : std::uint8_t { nodes, contacts };
inline std::size_t place_of(Places places, const model::ContactKey& key, std::size_t contact, std::size_t k) {
  return places == Places::nodes ? static_cast<std::size_t>(key.nodes[k]) : 4 * contact + k;
}

// Of derivatives by one.
inline void negate(Geometry& bars) {
  bars.gap = -bars.gap;
  for (Vector3* v : {&bars.normal, &bars.slip, &bars.direction, &bars.own_direction})
    for (double& component : *v) component = -component;
  for (double& weight : bars.weights) weight = -weight;
}

}  // namespace proxima::contact
