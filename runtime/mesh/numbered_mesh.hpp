// A mesh as a file tells it: nodes by the file's own numbers, which may be any, in any order, and elements by those
// numbers. Internal to the room.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// What becomes of one kind of element of a file format: `corners` lists the nodes, by their places in the file's
// element, of one or several elements of `shape`. It is empty where the kind is left out.
struct ElementKind {
  std::int32_t number;    // the format's own for it
  int nodes;              // of each; 0: any number
  std::string_view name;  // for messages: "tetrahedra"
  Shape shape = Shape::point;
  std::vector<std::uint8_t> corners = {};
};

class NumberedMesh {
 public:
  void add_node(std::int64_t number, const Vector3& x) { nodes_.push_back({number, x}); }
  // `element` is the file's number for it, used in complaints; `nodes` are as many as the kind has.
  void add(const ElementKind& kind, std::int64_t element, std::span<const std::int64_t> nodes, std::int32_t tag);

  // Nodes in the order of their numbers, elements of each shape in the order they were added. Throws Error naming
  // `file`: a node number given twice, an absent node, no nodes, no elements.
  Mesh finish(const std::string& file) const;

 private:
  struct Node {
    std::int64_t number;
    Vector3 x;
  };
  struct Listed {
    std::vector<std::int64_t> elements, nodes;
    std::vector<std::int32_t> tags;
  };
  std::vector<Node> nodes_;
  std::map<Shape, Listed> listed_;
  std::map<std::string, std::size_t> left_out_;
};

}  // namespace proxima::mesh
