// A direction that a body's surface has and carries along: grooves, threads, fibres.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/surface.hpp"

namespace proxima::contact {

// The direction is given in space at rest. At a vertex it is a combination of the edges there, the least one, that is
// as near to it as they come: all of it at the rim of a solid, what lies in the surface where that is flat. It moves
// with the edges: a linear function of positions.
class SurfaceDirection {
 public:
  SurfaceDirection() = default;  // zero everywhere
  SurfaceDirection(const Surface& surface, std::span<const Vector3> rest, const Vector3& direction);

  // At a vertex; positions are 3 a node, m.
  Vector3 at(std::int32_t node, std::span<const double> positions) const;
  // Adds the derivatives by positions from those by the direction there.
  void pull_back(std::int32_t node, const Vector3& bar, std::span<double> by_positions) const;

 private:
  struct Share {
    std::int32_t node = 0;
    double factor = 0;
  };
  std::vector<std::vector<Share>> shares_;  // of each node of the mesh
};

}  // namespace proxima::contact
