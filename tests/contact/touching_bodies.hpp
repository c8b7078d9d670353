// Bodies without materials, for the tests of what touches what.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "runtime/contact/geometry.hpp"
#include "runtime/model/model.hpp"

namespace proxima::test {

// A body of its own behind those that the model has; its initial positions are those at rest.
void add_body(model::Model& model, const mesh::Mesh& mesh);
// Body against body, or one against itself.
void add_pair(model::Model& model, std::int32_t body, std::int32_t other, double thickness = 0);
void hold(model::Model& model, std::int32_t body);

mesh::Mesh turned(mesh::Mesh mesh, const mesh::Vector3& rotation, const mesh::Vector3& translation);

// x with the nodes of one body moved.
std::vector<double> moved(const model::Model& model, std::span<const double> x, std::int32_t body,
                          const std::function<mesh::Vector3(const mesh::Vector3&)>& to);
std::vector<double> moved_by(const model::Model& model, std::span<const double> x, std::int32_t body,
                             const mesh::Vector3& by);

// The surface of a body by its plain definition: vertices, faces, edges.
struct PlainSurface {
  std::vector<std::int32_t> vertices;
  std::vector<std::array<std::int32_t, 3>> faces;
  std::vector<std::array<std::int32_t, 2>> edges;
};
PlainSurface plain_surface(const model::Model& model, std::int32_t body);

// The angle in rad between the normals of an edge's two faces; pi where it has fewer.
double turn(const PlainSurface& surface, const std::array<std::int32_t, 2>& edge, std::span<const double> x);

// The distance of two bodies: the least of all vertices and faces and all edges.
double distance(const model::Model& model, std::int32_t a, std::int32_t b, std::span<const double> x);

// A cone about the z axis, its tip at the origin and its base at `height`; a closed surface of triangles.
mesh::Mesh cone(double height, double radius, int around);

}  // namespace proxima::test
