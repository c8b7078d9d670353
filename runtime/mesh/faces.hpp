// The triangular faces of tetrahedra. Internal to the room.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// One face of one tet. `sorted` names the face whichever tet it is seen from; `odd` tells its two sides apart: two tets
// of positive volume that share a face lie on opposite sides of it exactly when their `odd` differ.
struct Face {
  std::array<std::int32_t, 3> sorted;
  bool odd;             // the outward order of the corners is an odd permutation of `sorted`
  std::uint64_t index;  // 4 * tet + local face
  auto operator<=>(const Face&) const = default;
};

// All 4 * tets faces, sorted, so that equal faces are neighbours.
std::vector<Face> sorted_faces(const TetMesh& mesh);

// The corners of face `index` (4 * tet + local face), outwards for a tet of positive volume.
std::array<std::int32_t, 3> outward_corners(const TetMesh& mesh, std::uint64_t index);

}  // namespace proxima::mesh
