// A direction that a body's surface has and carries along: grooves, threads, fibres.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/surface.hpp"

namespace proxima::contact {

// The direction is given in space at rest. At a vertex it is a combination of the edges there, the least one, that is
// as near to it as they come: all of it at the rim of a solid, what lies in the surface where that is flat. It moves
// with the edges: a linear function of positions, whose factors are functions of the rest shape.
class SurfaceDirection {
 public:
  SurfaceDirection() = default;  // zero everywhere
  SurfaceDirection(const Surface& surface, std::span<const Vector3> rest, const Vector3& direction);

  // The nodes are elsewhere at rest.
  void set_rest(std::span<const Vector3> rest);
  // At a vertex; positions are 3 a node, m.
  Vector3 at(std::int32_t node, std::span<const double> positions) const;
  // Adds the derivatives by positions from those by the direction there.
  void pull_back(std::int32_t node, const Vector3& bar, std::span<double> by_positions) const;
  // The same by the rest positions, 3 a node.
  void pull_back_rest(std::int32_t node, const Vector3& bar, std::span<const double> positions,
                      std::span<double> by_rest) const;

 private:
  struct Share {
    std::int32_t node = 0;
    double factor = 0;
  };
  Vector3 direction_{};
  std::vector<Vector3> rest_;               // of each node of the mesh
  std::vector<std::vector<Share>> shares_;  // of each node: itself, then the other ends of its edges
};

}  // namespace proxima::contact
