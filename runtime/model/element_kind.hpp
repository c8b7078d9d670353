// The elements that a material of a scene can be of, one row each.
#pragma once

#include <string_view>

#include "runtime/mesh/elements.hpp"

namespace proxima::model {

struct ElementKind {
  mesh::Shape shape;
  std::string_view name;  // in scenes and messages
};

inline constexpr ElementKind element_kinds[] = {
    {mesh::Shape::tetrahedron, "tetrahedra"}, {mesh::Shape::hexahedron, "hexahedra"},
    {mesh::Shape::triangle, "triangles"},     {mesh::Shape::edge, "edges"},
    {mesh::Shape::hinge, "hinges"},           {mesh::Shape::stencil, "stencils"},
};

constexpr std::string_view plural(mesh::Shape shape) {
  for (const auto& kind : element_kinds)
    if (kind.shape == shape) return kind.name;
  return "elements";
}

}  // namespace proxima::model
