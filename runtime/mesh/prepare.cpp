// Measuring a mesh, and making it fit for simulation.
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "compiler/support/error.hpp"
#include "runtime/mesh/disjoint_sets.hpp"
#include "runtime/mesh/faces.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

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

std::string solid_text(const BoundaryFace& face) {
  return fmt::format("{} {}", shape_row(face.shape).name, face.element);
}

// As an element that is listed twice does: mass and stiffness there would count double.
void check_overlap(const Mesh& mesh, const std::string& name) {
  const auto found = overlaps(mesh);
  if (found.empty()) return;
  const auto& [a, b] = found.front();
  fail(
      "{}: {} and {} overlap: both lie on the same side of the face {} (Gmsh 2.2 files list an element once for each "
      "physical group it is in; save as 4.1)",
      name, solid_text(a), solid_text(b), fmt::join(a.corners.begin(), a.corners.begin() + a.count, " "));
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

std::size_t element_count(const Mesh& mesh) {
  std::size_t count = 0;
  for (const auto& block : mesh.blocks) count += block.elements.count();
  return count;
}

std::size_t first_element(const Mesh& mesh, Shape shape) {
  std::size_t first = 0;
  for (const auto& block : mesh.blocks) {
    if (block.elements.shape == shape) return first;
    first += block.elements.count();
  }
  throw std::logic_error("the mesh has no element of that shape");
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
  DisjointSets sets(mesh.nodes.size());
  for (const auto& block : mesh.blocks) {
    for (std::size_t e = 0; e < block.elements.count(); ++e) {
      const auto nodes = block.elements.of(e);
      for (const auto node : nodes.subspan(1))
        sets.join(static_cast<std::size_t>(nodes[0]), static_cast<std::size_t>(node));
    }
  }
  std::vector<std::int32_t> piece(mesh.nodes.size());
  count = 0;
  for (std::size_t node = 0; node < piece.size(); ++node) {
    const auto first = sets.of(node);
    piece[node] = first == node ? count++ : piece[first];
  }
  return piece;
}

}  // namespace proxima::mesh
