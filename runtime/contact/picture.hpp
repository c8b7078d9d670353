// Obstacles as triangles, to be looked at.
#pragma once

#include "compiler/jit/jit.hpp"
#include "runtime/model/model.hpp"

namespace proxima::contact {

// The surface of an obstacle in its own axes, triangles anticlockwise from outside: its own where it has some, else of
// the part that comes near the model's bodies as they start, by marching tetrahedra on a grid of `cells` cells along
// the longest side (Doi and Koide 1991). No triangles where nothing of it is there.
mesh::Mesh picture(const model::Model& model, const model::Obstacle& obstacle, jit::Engine& engine, int cells = 64);

}  // namespace proxima::contact
