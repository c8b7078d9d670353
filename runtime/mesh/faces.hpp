// The faces of solids. Internal to the room.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// One face of one solid. `sorted` names the face whichever solid it is seen from (-1 in front for a triangle); `odd`
// tells its two sides apart: two solids of positive volume that share a face lie on opposite sides of it exactly when
// their `odd` differ.
struct Face {
  std::array<std::int32_t, 4> sorted;
  bool odd;
  std::size_t block;     // of the mesh
  std::uint64_t number;  // faces of a solid * element + local face
  auto operator<=>(const Face&) const = default;
};

// All faces of all solids, sorted, so that equal faces are neighbours.
std::vector<Face> sorted_faces(const Mesh& mesh);

// Outwards for a solid of positive volume.
BoundaryFace outward_face(const Mesh& mesh, const Face& face);

}  // namespace proxima::mesh
