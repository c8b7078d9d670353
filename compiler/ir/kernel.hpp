// A kernel: one graph evaluated for every element of a mesh, with a description of where its inputs come from and
// where its results go. This is all an emitter sees and all the runtime needs to know to launch the compiled code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

// How element e finds the scalars of an input field (or stores those of an output field).
enum class Access : std::uint8_t {
  uniform,  // the same `components` scalars for all elements of a launch
  element,  // `components` scalars of its own
  nodal,    // `components` scalars at each of its `corners` nodes, gathered through the element's node list
};

struct Field {
  std::string name;
  Access access;
  std::uint32_t components;
};

// Scalar inputs are numbered through all input fields in order; a nodal field counts corners*components scalars,
// corner-major (corner 0's components first). Input scalar k is the graph's input(k). Output fields have element
// access only; `results` lists their scalars in order.
struct Kernel {
  std::string name;  // "stable_neo_hookean.forces", for messages
  std::uint32_t corners = 0;
  std::vector<Field> inputs;
  std::vector<Field> outputs;
  Graph graph;
  std::vector<NodeId> results;

  std::uint32_t scalars(const Field& field) const {
    return field.access == Access::nodal ? corners * field.components : field.components;
  }
};

}  // namespace proxima::ir
