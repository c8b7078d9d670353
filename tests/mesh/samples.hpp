// One small mesh in every format that read() knows, written by the tests' own hands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// A folder of its own for each test, gone afterwards.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path put(const std::string& name, const std::string& content) const;
  std::size_t entries() const;
  std::filesystem::path path;
};

// Three tets around an axis, tags 7, 9 and 7, a hexahedron beside them, two triangles and two edges.
Mesh sample_mesh();
// Its tetrahedra and their nodes.
Mesh sample_tetrahedra();

// Within the boundary of the solids, by the divergence theorem: exact where faces are flat and point outwards.
double enclosed_volume(const Mesh& mesh);

struct MshOptions {
  bool binary = false;
  bool names = true;         // $PhysicalNames
  bool parametric = false;   // 4.1 only: node blocks carry parametric coordinates
  bool partitioned = false;  // 4.1 only: the volumes stand in $PartitionedEntities
};

// The sample. The nodes carry numbers with gaps, not in order; a point, a pyramid and unknown sections stand between.
std::string msh_22(const MshOptions& options);
std::string msh_41(const MshOptions& options);

// A pyramid stands between the elements of the sample.
std::string vtk_text();
std::string vtk_binary();
std::string vtk_version_5();
std::string vtu_text();
// Its tetrahedra.
std::string tetgen_node(int first);
std::string tetgen_ele(int first);

struct Sample {
  std::string name;                                        // of the file that is given to read()
  std::vector<std::pair<std::string, std::string>> files;  // name and content; the one above is among them
  Mesh mesh;                                               // what is in them
};
std::vector<Sample> all_samples();

// The complaint of read() or prepare(), "no complaint" when there is none.
std::string complaint_of_read(const std::filesystem::path& file);

}  // namespace proxima::mesh
