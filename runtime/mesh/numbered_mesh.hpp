// A mesh as a file tells it: nodes by the file's own numbers, which may be any, in any order, and tets by those
// numbers. Internal to the room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

class NumberedMesh {
 public:
  void add_node(std::int64_t number, const Vector3& x);
  // `element` is the file's number for it, used in complaints.
  void add_tet(std::int64_t element, const std::array<std::int64_t, 4>& nodes, std::int32_t tag);

  // Nodes in the order of their numbers, tets in the order they were added. Throws Error naming `file`: a node number
  // given twice, an absent node, no tets (then `instead` says what the file holds).
  Mesh finish(const std::string& file, const std::string& instead) const;

 private:
  struct Node {
    std::int64_t number;
    Vector3 x;
  };
  struct Tet {
    std::int64_t element;
    std::array<std::int64_t, 4> nodes;
    std::int32_t tag;
  };
  std::vector<Node> nodes_;
  std::vector<Tet> tets_;
};

}  // namespace proxima::mesh
