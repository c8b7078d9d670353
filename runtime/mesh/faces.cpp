#include "runtime/mesh/faces.hpp"

#include <algorithm>

namespace proxima::mesh {
namespace {

// Local face f is the one opposite corner f, outwards for positive volume.
constexpr int kCorners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

Face make_face(const TetMesh& mesh, std::uint64_t index) {
  Face face{outward_corners(mesh, index), false, index};
  auto order = [&face](int i, int j) {
    if (face.sorted[i] > face.sorted[j]) {
      std::swap(face.sorted[i], face.sorted[j]);
      face.odd = !face.odd;
    }
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return face;
}

}  // namespace

std::array<std::int32_t, 3> outward_corners(const TetMesh& mesh, std::uint64_t index) {
  const auto& tet = mesh.tets[index / 4];
  const auto& corners = kCorners[index % 4];
  return {tet[corners[0]], tet[corners[1]], tet[corners[2]]};
}

std::vector<Face> sorted_faces(const TetMesh& mesh) {
  std::vector<Face> faces;
  faces.reserve(4 * mesh.tets.size());
  for (std::uint64_t index = 0; index < 4 * mesh.tets.size(); ++index) faces.push_back(make_face(mesh, index));
  std::sort(faces.begin(), faces.end());
  return faces;
}

std::vector<std::array<std::int32_t, 3>> boundary_triangles(const TetMesh& mesh) {
  const auto faces = sorted_faces(mesh);
  std::vector<std::uint64_t> alone;
  for (auto first = faces.begin(); first != faces.end();) {
    const auto last = std::find_if(first, faces.end(), [&](const Face& face) { return face.sorted != first->sorted; });
    if (last - first == 1) alone.push_back(first->index);
    first = last;
  }
  std::sort(alone.begin(), alone.end());
  std::vector<std::array<std::int32_t, 3>> triangles;
  triangles.reserve(alone.size());
  for (const auto index : alone) triangles.push_back(outward_corners(mesh, index));
  return triangles;
}

}  // namespace proxima::mesh
