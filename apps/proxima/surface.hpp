// The outside of a model's bodies: the boundary of solids, all triangles, all edges, with the element that each piece
// belongs to. What is shown of a body, and what is written as .obj.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/model/model.hpp"

namespace proxima::app {

struct Surface {
  std::vector<std::int32_t> nodes;                      // of the mesh, increasing
  std::vector<std::array<std::uint32_t, 3>> triangles;  // places in `nodes`; outwards where they bound a solid
  std::vector<std::array<std::uint32_t, 2>> lines;
  // The element of each triangle, then of each line: its number in the mesh, counted block after block; -1 for springs
  // and others that the mesh does not list.
  std::vector<std::ptrdiff_t> elements;

  std::size_t size() const { return triangles.size() + lines.size(); }
  // The values of the surface's nodes, out of those of all nodes of the mesh.
  std::vector<double> at_nodes(std::span<const double> values, std::size_t components) const;
};

Surface surface_of(const model::Model& model);

}  // namespace proxima::app
