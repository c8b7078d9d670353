// Tetrahedral meshes: reading, validating with stated repairs, generating, and writing results. Lengths in metres
// unless the caller scales. Knows nothing of materials or time.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace proxima::mesh {

using Vector3 = std::array<double, 3>;

struct TetMesh {
  std::vector<Vector3> nodes;
  std::vector<std::array<std::int32_t, 4>> tets;  // positive volume: (x1-x0) x (x2-x0) . (x3-x0) > 0 after prepare()
  std::vector<std::int32_t> tags;  // one a tet: physical group, or TetGen/VTK region attribute; 0 if none
  std::map<std::string, std::int32_t> group_names;  // named physical groups of dimension 3
};

// Reads .msh (Gmsh 2.2 and 4.1, ASCII and binary), .vtk (legacy, ASCII and binary), .vtu, and TetGen's .node/.ele
// (either name; 0- or 1-based). Node tags may be any numbers in any order. Elements that are not linear tetrahedra are
// left out. Throws Error naming the file (and line, where there is one): missing, malformed, cut short, another format
// version, no tetrahedra, an element that names an absent node.
TetMesh read(const std::filesystem::path& file);

// What prepare() found and mended, for the log.
struct Repairs {
  std::size_t flipped = 0;             // tets whose winding was reversed
  std::size_t unused_removed = 0;      // nodes that no tet uses
  std::vector<std::int32_t> node_map;  // old node number -> new, -1 for removed
};

// Makes a mesh fit for simulation, in place: reverses tets of opposite winding, removes unused nodes. Throws Error
// (naming `name`, the element counted from 0 and its nodes) for a degenerate tet (volume below 1e-12 of its longest
// edge cubed), repeated or absent nodes in a tet, non-finite coordinates, tets that overlap (two on one side of a
// face), no tets.
Repairs prepare(TetMesh& mesh, const std::string& name);

// Signed: negative where the winding is opposite.
double volume(const TetMesh& mesh, std::size_t tet);

struct Box {
  Vector3 lower, upper;
};
Box bounding_box(const TetMesh& mesh);  // of a mesh with nodes

// The number of pieces that share no node, and the piece of each node, numbered in the order of their first nodes.
std::vector<std::int32_t> connected_components(const TetMesh& mesh, std::int32_t& count);

// A box of cells[0] x cells[1] x cells[2] cubes cut into six tets each (Kuhn), from `lower` to `upper`. Node (i, j, k)
// has number i + (cells[0] + 1) * (j + (cells[1] + 1) * k).
TetMesh make_box(std::array<int, 3> cells, Vector3 lower, Vector3 upper);

// A solid ball: 20 * layers^3 tets in icosahedral shells about `centre` (7 layers: 6 860 tets). Used by the demo.
TetMesh make_ball(int layers, Vector3 centre, double radius);

// Triangles that belong to one tet only, oriented outwards where the volume is positive, in the order of their tets.
std::vector<std::array<std::int32_t, 3>> boundary_triangles(const TetMesh& mesh);

// One named array over nodes or tets; values.size() == components * count.
struct DataArray {
  std::string name;
  int components;
  std::vector<double> values;
};

// Writes a .vtu (binary, compressed, double precision) that appears whole or not at all, the tags as cell array
// "region". `positions` may differ from mesh.nodes (a deformed state): 3 a node. Throws Error naming the file when it
// cannot be written.
void write_vtu(const std::filesystem::path& file, const TetMesh& mesh, std::span<const double> positions,
               std::span<const DataArray> node_data, std::span<const DataArray> tet_data);

// Writes a .pvd that lists (time in seconds, file name relative to the .pvd).
void write_pvd(const std::filesystem::path& file, std::span<const std::pair<double, std::string>> frames);

// Writes Gmsh 4.1 ASCII, tags as physical groups: what `./dev demo` hands to the user.
void write_msh(const std::filesystem::path& file, const TetMesh& mesh);

}  // namespace proxima::mesh
