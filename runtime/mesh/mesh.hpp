// Meshes of linear elements: reading, validating with stated repairs, generating, and writing results. Lengths in
// metres unless the caller scales. Knows nothing of materials or time.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

// All elements of one shape.
struct Block {
  Elements elements;
  std::vector<std::int32_t> tags;  // one an element: physical group, or TetGen/VTK region attribute; 0 if none
  bool operator==(const Block&) const = default;
};

// A physical group: its elements have this dimension (3 for solids, 2 for triangles, 1 for edges) and this tag.
struct Group {
  int dimension = 3;
  std::int32_t tag = 0;
  auto operator<=>(const Group&) const = default;
};

struct Mesh {
  std::vector<Vector3> nodes;
  // At most one of a shape, none empty, in the order of Shape: edges, triangles, tetrahedra, hexahedra.
  std::vector<Block> blocks;
  std::map<std::string, Group> groups;  // those that have names
  // What its file held and read() does not take, by name, and how many: "prisms".
  std::map<std::string, std::size_t> left_out = {};
};

// The elements of a shape, none where the mesh has none of it.
const Block& block(const Mesh& mesh, Shape shape);
const Elements& elements(const Mesh& mesh, Shape shape);
// The same to be filled, made where the mesh has none.
Block& make_block(Mesh& mesh, Shape shape);

// Elements of all blocks are counted one block after the other: how many there are, and the first of a shape, where the
// mesh has one (else std::logic_error).
std::size_t element_count(const Mesh& mesh);
std::size_t first_element(const Mesh& mesh, Shape shape);

// Reads .msh (Gmsh 2.2 and 4.1, ASCII and binary), .vtk (legacy, ASCII and binary), .vtu, TetGen's .node/.ele (either
// name; 0- or 1-based), and the surfaces of .obj and .stl. Node numbers may be any in any order. Takes edges,
// triangles, tetrahedra and hexahedra; a quadrilateral gives two triangles, prisms, pyramids and points are left out
// and counted. Throws Error naming the file (and line, where there is one): missing, malformed, cut short, another
// format version, elements of higher order, nothing that is taken, an element that names an absent node.
Mesh read(const std::filesystem::path& file);

// What prepare() found and mended, for the log.
struct Repairs {
  std::size_t flipped = 0;             // solids whose corners were reversed
  std::size_t unused_removed = 0;      // nodes that no element uses
  std::vector<std::int32_t> node_map;  // old node number -> new, -1 for removed
};

// Makes a mesh fit for simulation, in place: reverses solids of opposite winding, removes unused nodes. Throws Error
// (naming `name`, the element counted from 0 and its nodes) for a degenerate element (measure below 1e-12 of its
// longest edge to the power of its dimension), repeated or absent nodes in an element, non-finite coordinates, solids
// that overlap (two on one side of a face), no elements.
Repairs prepare(Mesh& mesh, const std::string& name);

// Of a tetrahedron; signed: negative where the winding is opposite.
double tet_volume(const Mesh& mesh, std::size_t tet);

struct Box {
  Vector3 lower, upper;
};
Box bounding_box(const Mesh& mesh);  // of a mesh with nodes

// The number of pieces that share no node, and the piece of each node, numbered in the order of their first nodes.
std::vector<std::int32_t> connected_components(const Mesh& mesh, std::int32_t& count);

// A box of cells[0] x cells[1] x cells[2] cubes cut into six tets each (Kuhn), from `lower` to `upper`. Node (i, j, k)
// has number i + (cells[0] + 1) * (j + (cells[1] + 1) * k).
Mesh make_box(std::array<int, 3> cells, Vector3 lower, Vector3 upper);

// A solid ball: 20 * layers^3 tets in icosahedral shells about `centre` (7 layers: 6 860 tets). Used by the demo.
Mesh make_ball(int layers, Vector3 centre, double radius);

// A face that only one solid has, its corners outwards: 3 of a tetrahedron, 4 of a hexahedron.
struct BoundaryFace {
  Shape shape = Shape::tetrahedron;  // of the solid
  std::size_t element = 0;           // its number in its block
  std::array<std::int32_t, 4> corners{};
  int count = 3;
};
// Block after block, in the order of the elements.
std::vector<BoundaryFace> boundary_faces(const Mesh& mesh);
// The same as triangles; a quadrilateral gives two.
Elements boundary_triangles(const Mesh& mesh);

// One named array over nodes or elements; values.size() == components * count.
struct DataArray {
  std::string name;
  int components;
  std::vector<double> values;
};

// Writes a .vtu (binary, compressed, double precision) that appears whole or not at all, the tags as cell array
// "region". `positions` may differ from mesh.nodes (a deformed state): 3 a node. Arrays over elements have those of all
// blocks, one after the other. Throws Error naming the file when it cannot be written.
void write_vtu(const std::filesystem::path& file, const Mesh& mesh, std::span<const double> positions,
               std::span<const DataArray> node_data, std::span<const DataArray> element_data);

// Writes a .pvd that lists (time in seconds, file name relative to the .pvd).
void write_pvd(const std::filesystem::path& file, std::span<const std::pair<double, std::string>> frames);

// Writes Gmsh 4.1 ASCII, tags as physical groups: what `./dev demo` hands to the user.
void write_msh(const std::filesystem::path& file, const Mesh& mesh);

// Writes legacy .vtk, text; tags as cell array "region".
void write_vtk(const std::filesystem::path& file, const Mesh& mesh);

// Writes Wavefront .obj: triangles, edges, and the boundary of solids, whose inner nodes are left out. It has no tags.
void write_obj(const std::filesystem::path& file, const Mesh& mesh);

// Any of .msh, .vtu, .vtk, .obj by the name's ending; Error naming the file where it has another.
void write(const std::filesystem::path& file, const Mesh& mesh);

}  // namespace proxima::mesh
