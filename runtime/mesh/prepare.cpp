// Measuring a mesh, and making it fit for simulation.
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "compiler/support/error.hpp"
#include "runtime/mesh/faces.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double triple_product(const Vector3& a, const Vector3& b, const Vector3& c) {
  return (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] + (a[0] * b[1] - a[1] * b[0]) * c[2];
}

// By how its corners 0, 1, 2 (3 in a hexahedron) turn about the way from corner 0 to the other side.
bool is_reversed(const Mesh& mesh, const Elements& elements, std::size_t element) {
  const auto nodes = elements.of(element);
  const bool valid = std::all_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
    return node >= 0 && static_cast<std::size_t>(node) < mesh.nodes.size();
  });
  if (!valid) return false;  // rest_geometry() will say so
  const bool tet = elements.shape == Shape::tetrahedron;
  const auto& origin = mesh.nodes[nodes[0]];
  return triple_product(minus(mesh.nodes[nodes[1]], origin), minus(mesh.nodes[nodes[tet ? 2 : 3]], origin),
                        minus(mesh.nodes[nodes[tet ? 3 : 4]], origin)) < 0;
}

// Returns how many.
std::size_t reverse_solids(Mesh& mesh) {
  std::size_t count = 0;
  for (auto& [elements, tags] : mesh.blocks) {
    if (shape_row(elements.shape).dimension != 3) continue;
    for (std::size_t e = 0; e < elements.count(); ++e) {
      if (!is_reversed(mesh, elements, e)) continue;
      const auto nodes = elements.of(e);
      if (elements.shape == Shape::tetrahedron) {
        std::swap(nodes[2], nodes[3]);
      } else {
        std::swap_ranges(nodes.begin(), nodes.begin() + 4, nodes.begin() + 4);
      }
      ++count;
    }
  }
  return count;
}

std::string solid_text(const Mesh& mesh, const Face& face) {
  const auto outward = outward_face(mesh, face);
  return fmt::format("{} {}", shape_row(outward.shape).name, outward.element);
}

// Two solids on the same side of one face overlap, as an element that is listed twice does; mass and stiffness there
// would count double.
void check_overlap(const Mesh& mesh, const std::string& name) {
  const auto faces = sorted_faces(mesh);
  for (std::size_t i = 1; i < faces.size(); ++i) {
    const auto &a = faces[i - 1], &b = faces[i];
    if (a.sorted == b.sorted && a.odd == b.odd) {
      const auto corners = outward_face(mesh, a);
      fail(
          "{}: {} and {} overlap: both lie on the same side of the face {} (Gmsh 2.2 files list an element once for "
          "each physical group it is in; save as 4.1)",
          name, solid_text(mesh, a), solid_text(mesh, b),
          fmt::join(corners.corners.begin(), corners.corners.begin() + corners.count, " "));
    }
  }
}

// Drops nodes that no element uses, keeping the order of the others; returns the new number of each, -1 where dropped.
std::vector<std::int32_t> remove_unused(Mesh& mesh) {
  std::vector<std::int32_t> node_map(mesh.nodes.size(), -1);
  for (const auto& block : mesh.blocks) {
    for (const auto node : block.elements.nodes) node_map[node] = 0;
  }
  std::int32_t kept = 0;
  for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
    if (node_map[node] < 0) continue;
    mesh.nodes[kept] = mesh.nodes[node];
    node_map[node] = kept++;
  }
  mesh.nodes.resize(kept);
  for (auto& block : mesh.blocks) {
    for (auto& node : block.elements.nodes) node = node_map[node];
  }
  return node_map;
}

}  // namespace

const Block& block(const Mesh& mesh, Shape shape) {
  static const std::map<Shape, Block> empty = [] {
    std::map<Shape, Block> result;
    for (const auto each : {Shape::edge, Shape::triangle, Shape::tetrahedron, Shape::hexahedron})
      result[each].elements = {each, shape_row(each).corners, {}};
    return result;
  }();
  const auto found = std::find_if(mesh.blocks.begin(), mesh.blocks.end(),
                                  [&](const Block& candidate) { return candidate.elements.shape == shape; });
  return found == mesh.blocks.end() ? empty.at(shape) : *found;
}

const Elements& elements(const Mesh& mesh, Shape shape) { return block(mesh, shape).elements; }

Block& make_block(Mesh& mesh, Shape shape) {
  const auto place = std::find_if(mesh.blocks.begin(), mesh.blocks.end(),
                                  [&](const Block& candidate) { return candidate.elements.shape >= shape; });
  if (place != mesh.blocks.end() && place->elements.shape == shape) return *place;
  return *mesh.blocks.insert(place, Block{{shape, shape_row(shape).corners, {}}, {}});
}

double tet_volume(const Mesh& mesh, std::size_t tet) {
  const auto nodes = elements(mesh, Shape::tetrahedron).of(tet);
  const auto& origin = mesh.nodes[nodes[0]];
  return triple_product(minus(mesh.nodes[nodes[1]], origin), minus(mesh.nodes[nodes[2]], origin),
                        minus(mesh.nodes[nodes[3]], origin)) /
         6;
}

Repairs prepare(Mesh& mesh, const std::string& name) {
  if (mesh.blocks.empty()) fail("{}: no elements; a mesh of tetrahedra, hexahedra, triangles or edges is needed", name);
  for (const auto& [elements, tags] : mesh.blocks) {
    const auto& shape = shape_row(elements.shape);
    if (elements.count() == 0) fail("{}: its list of {}s is empty", name, shape.label);
    if (tags.size() != elements.count())
      fail("{}: {} tags for {} {}s; one each is needed", name, tags.size(), elements.count(), shape.label);
  }
  Repairs repairs;
  repairs.flipped = reverse_solids(mesh);
  for (const auto& block : mesh.blocks) rest_geometry(block.elements, mesh.nodes, name);
  check_overlap(mesh, name);
  const std::size_t node_count = mesh.nodes.size();
  repairs.node_map = remove_unused(mesh);
  repairs.unused_removed = node_count - mesh.nodes.size();
  return repairs;
}

Box bounding_box(const Mesh& mesh) {
  Box box{mesh.nodes.at(0), mesh.nodes.at(0)};
  for (const auto& x : mesh.nodes) {
    for (int c = 0; c < 3; ++c) {
      box.lower[c] = std::min(box.lower[c], x[c]);
      box.upper[c] = std::max(box.upper[c], x[c]);
    }
  }
  return box;
}

std::vector<std::int32_t> connected_components(const Mesh& mesh, std::int32_t& count) {
  std::vector<std::int32_t> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](std::int32_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  // The lower number becomes the root, so that pieces are numbered in the order of their first nodes.
  for (const auto& block : mesh.blocks) {
    for (std::size_t e = 0; e < block.elements.count(); ++e) {
      const auto nodes = block.elements.of(e);
      for (std::size_t i = 1; i < nodes.size(); ++i) {
        const auto a = root(nodes[0]), b = root(nodes[i]);
        parent[std::max(a, b)] = std::min(a, b);
      }
    }
  }
  std::vector<std::int32_t> piece(mesh.nodes.size());
  count = 0;
  for (std::size_t node = 0; node < piece.size(); ++node) {
    const auto first = root(static_cast<std::int32_t>(node));
    piece[node] = static_cast<std::size_t>(first) == node ? count++ : piece[first];
  }
  return piece;
}

}  // namespace proxima::mesh
