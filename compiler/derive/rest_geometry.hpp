// Shape gradients and volume of an element as functions of the rest positions of its corners, so that they can be
// differentiated. The runtime computes the same numbers once (runtime/mesh). Internal to this room.
#pragma once

#include "compiler/derive/kernel_builder.hpp"

namespace proxima::derive {

struct RestGeometry {
  Nodes gradients;  // (corners - 1) * dimension, row by row
  ir::NodeId volume;
};

// rest: 3 a corner. shape_gradients: (corners - 1) * dimension, by the element's own coordinates; weight: the volume of
// the quadrature point in those coordinates. Solids {n, 3} and surfaces {n, 2}. Corner 0 of a right-handed element.
RestGeometry rest_geometry(ir::Graph& graph, Shape shape, const Nodes& rest, const Nodes& shape_gradients,
                           ir::NodeId weight);

}  // namespace proxima::derive
