#include "runtime/mesh/vtk_grid.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"
#include "runtime/mesh/numbered_mesh.hpp"

namespace proxima::mesh {
namespace {

// Cell arrays that become tags, by the names that meshing programs give them (letter case does not matter). The first
// of them that the file has is taken.
constexpr std::string_view kTagArrays[] = {"region",     "material",    "tag",        "gmsh:physical", "CellEntityIds",
                                           "medit:ref",  "material_id", "MaterialId", "MaterialIds",   "regions",
                                           "attributes", "PhysicalIds", "cell_tags"};

// vtkCellType.h. Pixels and voxels have their corners in the order of their coordinates.
const std::vector<ElementKind> kKinds = {
    {0, 0, "empty cells"},
    {1, 1, "points"},
    {2, 0, "clouds of points"},
    {3, 2, "lines", Shape::edge, {0, 1}},
    {4, 0, "polylines"},
    {5, 3, "triangles", Shape::triangle, {0, 1, 2}},
    {6, 0, "strips of triangles"},
    {7, 0, "polygons"},
    {8, 4, "pixels", Shape::triangle, {0, 1, 3, 0, 3, 2}},
    {9, 4, "quadrilaterals", Shape::triangle, {0, 1, 2, 0, 2, 3}},
    {10, 4, "tetrahedra", Shape::tetrahedron, {0, 1, 2, 3}},
    {11, 8, "voxels", Shape::hexahedron, {0, 1, 3, 2, 4, 5, 7, 6}},
    {12, 8, "hexahedra", Shape::hexahedron, {0, 1, 2, 3, 4, 5, 6, 7}},
    {13, 6, "prisms"},
    {14, 5, "pyramids"},
    {15, 10, "pentagonal prisms"},
    {16, 12, "hexagonal prisms"},
    {41, 0, "sets of points"},
    {42, 0, "polyhedra"},
};

struct HigherOrder {
  std::int64_t first, last;  // VTK's numbers
};
constexpr HigherOrder kHigherOrder[] = {{21, 37}, {60, 81}};

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

struct Tags {
  std::string name;
  const std::vector<double>* values = nullptr;  // null: all are 0
};

Tags find_tags(const VtkGrid& grid) {
  for (const auto wanted : kTagArrays)
    for (const auto& [name, values] : grid.tag_arrays)
      if (same_but_for_case(name, wanted)) return {name, &values};
  return {};
}

std::int32_t tag_of(const Tags& tags, std::size_t cell, const std::string& file) {
  if (tags.values == nullptr) return 0;
  const double tag = (*tags.values)[cell];
  if (!(tag == std::floor(tag) && std::abs(tag) <= std::numeric_limits<std::int32_t>::max()))
    fail("{}: cell array {} is read as regions, which are whole numbers; cell {} has {}", file, tags.name, cell, tag);
  return static_cast<std::int32_t>(tag);
}

const ElementKind& kind_of(std::int64_t type, std::size_t cell, const std::string& file) {
  const auto kind =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const ElementKind& known) { return known.number == type; });
  if (kind != kKinds.end()) return *kind;
  for (const auto& [first, last] : kHigherOrder)
    if (first <= type && type <= last)
      fail("{}: cell {} is of higher order (VTK cell type {}); only linear cells are read", file, cell, type);
  fail("{}: cell {} is of the VTK cell type {}, which is not known", file, cell, type);
}

// The corners of a cell, after checking that there are as many as its kind has.
std::span<const std::int64_t> corners_of(const VtkGrid& grid, const ElementKind& kind, std::size_t cell,
                                         const std::string& file) {
  const auto begin = cell == 0 ? 0 : grid.ends[cell - 1], end = grid.ends[cell];
  if (begin > end || end > static_cast<std::int64_t>(grid.corners.size()))
    fail("{}: the corners of cell {} go from {} to {}, but there are {} in all", file, cell, begin, end,
         grid.corners.size());
  if (kind.nodes > 0 && end - begin != kind.nodes)
    fail("{}: cell {} has {} corners, its type ({}) has {}", file, cell, end - begin, kind.name, kind.nodes);
  return std::span(grid.corners).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

}  // namespace

bool may_be_tags(std::string_view name) {
  return std::any_of(std::begin(kTagArrays), std::end(kTagArrays),
                     [&](std::string_view known) { return same_but_for_case(name, known); });
}

Mesh to_mesh(const VtkGrid& grid, const std::string& file) {
  const auto cells = grid.types.size();
  if (grid.ends.size() != cells) fail("{}: {} cells have corners, {} have a type", file, grid.ends.size(), cells);
  const auto tags = find_tags(grid);
  if (tags.values != nullptr && tags.values->size() != cells)
    fail("{}: cell array {} is read as regions and needs one number a cell; it has {} for {} cells", file, tags.name,
         tags.values->size(), cells);
  NumberedMesh mesh;
  for (std::size_t i = 0; i + 3 <= grid.points.size(); i += 3)
    mesh.add_node(static_cast<std::int64_t>(i / 3), {grid.points[i], grid.points[i + 1], grid.points[i + 2]});
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto& kind = kind_of(grid.types[cell], cell, file);
    mesh.add(kind, static_cast<std::int64_t>(cell), corners_of(grid, kind, cell, file), tag_of(tags, cell, file));
  }
  return mesh.finish(file);
}

}  // namespace proxima::mesh
