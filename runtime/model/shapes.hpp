// Which points are inside the boxes and balls of a scene. Internal to the room.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/mesh/mesh.hpp"
#include "runtime/model/scene.hpp"

namespace proxima::model {

// Numbers of the points, increasing. Shapes are closed and grown by 1e-9 of the diagonal of `bounds`, so that a box
// that ends on a face takes the face whatever its coordinates were rounded to.
std::vector<std::int32_t> points_inside(const BoxShape& box, std::span<const Vector3> points, const mesh::Box& bounds);
std::vector<std::int32_t> points_inside(const SphereShape& sphere, std::span<const Vector3> points,
                                        const mesh::Box& bounds);

// For a message when there are none: "is inside the box ...; the mesh extends from ... to ...".
std::string outside_text(const BoxShape& box, const mesh::Box& bounds);
std::string outside_text(const SphereShape& sphere, const mesh::Box& bounds);

}  // namespace proxima::model
