#include "runtime/mesh/faces.hpp"

#include <algorithm>

namespace proxima::mesh {
namespace {

constexpr std::int32_t none = -1;

constexpr FaceTable tables[] = {
    {Shape::tetrahedron, 4, 3, {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}},
    {Shape::hexahedron, 6, 4, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
};

BoundaryFace corners_of(const Elements& elements, const FaceTable& table, std::uint64_t number) {
  const auto per_solid = static_cast<std::uint64_t>(table.faces);
  BoundaryFace face{elements.shape, number / per_solid, {none, none, none, none}, table.corners};
  const auto nodes = elements.of(face.element);
  for (int i = 0; i < table.corners; ++i) face.corners[i] = nodes[table.corner[number % per_solid][i]];
  return face;
}

Face make_face(const Elements& elements, const FaceTable& table, std::size_t block, std::uint64_t number) {
  const auto outward = corners_of(elements, table, number);
  const auto count = static_cast<std::size_t>(outward.count);
  const auto begin = outward.corners.begin(), end = begin + outward.count;
  // Seen from the other side the cycle of corners runs backwards, so the neighbours of the lowest one are exchanged.
  const auto lowest = static_cast<std::size_t>(std::min_element(begin, end) - begin);
  const bool odd = outward.corners[(lowest + 1) % count] > outward.corners[(lowest + count - 1) % count];
  Face face{outward.corners, odd, block, number};
  std::sort(face.sorted.begin(), face.sorted.end());
  return face;
}

}  // namespace

const FaceTable* face_table(Shape shape) {
  const auto* found =
      std::find_if(std::begin(tables), std::end(tables), [&](const FaceTable& table) { return table.shape == shape; });
  return found == std::end(tables) ? nullptr : found;
}

BoundaryFace outward_face(const Mesh& mesh, const Face& face) {
  const auto& elements = mesh.blocks[face.block].elements;
  return corners_of(elements, *face_table(elements.shape), face.number);
}

std::vector<Face> sorted_faces(const Mesh& mesh) {
  std::vector<Face> faces;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const auto& elements = mesh.blocks[b].elements;
    const auto* table = face_table(elements.shape);
    if (table == nullptr) continue;
    const auto count = elements.count() * static_cast<std::size_t>(table->faces);
    for (std::uint64_t number = 0; number < count; ++number) faces.push_back(make_face(elements, *table, b, number));
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

std::vector<std::pair<BoundaryFace, BoundaryFace>> overlaps(const Mesh& mesh) {
  const auto faces = sorted_faces(mesh);
  std::vector<std::pair<BoundaryFace, BoundaryFace>> result;
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i - 1].sorted == faces[i].sorted && faces[i - 1].odd == faces[i].odd)
      result.emplace_back(outward_face(mesh, faces[i - 1]), outward_face(mesh, faces[i]));
  return result;
}

std::vector<BoundaryFace> boundary_faces(const Mesh& mesh) {
  const auto faces = sorted_faces(mesh);
  std::vector<Face> alone;
  for (auto first = faces.begin(); first != faces.end();) {
    const auto last = std::find_if(first, faces.end(), [&](const Face& face) { return face.sorted != first->sorted; });
    if (last - first == 1) alone.push_back(*first);
    first = last;
  }
  std::sort(alone.begin(), alone.end(),
            [](const Face& a, const Face& b) { return std::pair(a.block, a.number) < std::pair(b.block, b.number); });
  std::vector<BoundaryFace> result;
  result.reserve(alone.size());
  for (const auto& face : alone) result.push_back(outward_face(mesh, face));
  return result;
}

Elements boundary_triangles(const Mesh& mesh) {
  Elements triangles{Shape::triangle, 3, {}};
  for (const auto& face : boundary_faces(mesh))
    for (int i = 2; i < face.count; ++i)
      triangles.nodes.insert(triangles.nodes.end(), {face.corners[0], face.corners[i - 1], face.corners[i]});
  return triangles;
}

}  // namespace proxima::mesh
