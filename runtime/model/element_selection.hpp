// Which elements of a body a material is of. Internal to the room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/mesh/mesh.hpp"
#include "runtime/model/scene.hpp"

namespace proxima::model {

// All elements of one shape that a body has.
struct Candidates {
  mesh::Elements elements;
  bool listed = false;  // by the mesh, with tags; else made from its triangles
  std::vector<Vector3> centroids;
};
// None where the mesh has none. Hinges are made from its triangles, and so are edges where it lists none.
Candidates candidates(const mesh::Mesh& mesh, mesh::Shape shape);

// What the elements of a material are if it does not say: the solids of the mesh, else its triangles, else its edges.
std::vector<mesh::Shape> default_shapes(const mesh::Mesh& mesh);

std::vector<Vector3> centroids(const mesh::Elements& elements, const std::vector<Vector3>& nodes);

// Numbers among the candidates, increasing, none where none is inside a shape or has the tag. Throws Error for an
// unknown name of a group, one of another dimension, or a file that names absent elements.
std::vector<std::int32_t> select_elements(const ElementSelection& selection, const Candidates& candidates,
                                          const mesh::Mesh& mesh, const std::string& where);

// Throws the Error for a selection that leaves a material without elements; `what` is "tetrahedron".
[[noreturn]] void fail_empty(const ElementSelection& selection, const std::string& what, const mesh::Mesh& mesh,
                             const std::string& where);

}  // namespace proxima::model
