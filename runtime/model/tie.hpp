// Nodes that stay where they are on something: bilateral constraints, whose forces pull as well as push.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::model {

// sum of weights[k] x_{nodes[k]} = at, m, at the end of each step: a node held to a point, or, with minus the
// barycentric coordinates of its place on a triangle and `at` zero, to the surface of a body.
struct TiedNode {
  std::array<std::int32_t, 4> nodes{-1, -1, -1, -1};  // the tied node, then the triangle's; -1: none
  std::array<double, 4> weights{1, 0, 0, 0};
  mesh::Vector3 at{};
};

struct Tie {
  std::string name;
  std::vector<TiedNode> tied;  // by their first nodes, increasing
  mesh::Vector3 to{};          // m: all of them are held this far beyond `at`
};

}  // namespace proxima::model
