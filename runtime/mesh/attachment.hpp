// A point, as a marker on a body, that goes with the element nearest to it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {

// In a solid, or on the surface: where the element's shape functions put it, which follows every motion of the nodes
// that is affine exactly. Away from there, as the centre of a ball that is glued to the surface: at the nearest point,
// and from there as far as it was, turning with the triangle that this point is in and not growing with it. Away from
// an edge, which says nothing of turns about itself: the way to it stays as it was in space.
struct Attachment {
  std::vector<std::int32_t> nodes;        // of the element
  std::vector<double> weights;            // one for each, with the sum 1: the nearest point
  Vector3 offset{};                       // from there, m: in the axes of the triangle, or in those of space
  std::array<std::size_t, 3> triangle{};  // among `nodes`; all 0: none
  double distance = 0;                    // from the element, m
  bool turns() const { return triangle[1] != triangle[2]; }
};

// Each to what is nearest of a mesh whose nodes are at `positions`, 3 a node: a solid that has the point in it, else a
// triangle of the surface of solids, a triangle or an edge; of several at one distance the first. The mesh has some. A
// distance that numbers do not reach is infinite, or none.
std::vector<Attachment> attach(const Mesh& mesh, std::span<const double> positions, std::span<const Vector3> points);

// Where it is when the element's nodes are at `corners`, one for each of `nodes`.
Vector3 attached_point(const Attachment& attachment, std::span<const Vector3> corners);
Vector3 attached_point(const Attachment& attachment, std::span<const double> positions);  // of all nodes, 3 each
// From the derivative of a number by that point those by the corners.
std::vector<Vector3> corner_derivatives(const Attachment& attachment, std::span<const Vector3> corners,
                                        const Vector3& by_point);

}  // namespace proxima::mesh
