// The faces of solids. Internal to the room.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
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

// The faces of a solid shape, by its corners, outwards for positive volume.
struct FaceTable {
  Shape shape;
  int faces, corners;  // how many, and of how many corners each
  int corner[6][4];
};
const FaceTable* face_table(Shape shape);  // null for a shape that is no solid

// All faces of all solids, sorted, so that equal faces are neighbours.
std::vector<Face> sorted_faces(const Mesh& mesh);

// Outwards for a solid of positive volume.
BoundaryFace outward_face(const Mesh& mesh, const Face& face);

// Two solids on the same side of one face overlap: each such face as the two see it.
std::vector<std::pair<BoundaryFace, BoundaryFace>> overlaps(const Mesh& mesh);

}  // namespace proxima::mesh
