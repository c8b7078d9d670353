// The shapes of obstacles that need no data: signed distances written in the same language as energies.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "compiler/ir/function.hpp"

namespace proxima::model {

// Each is the exact distance in axes of its own, negative inside, of one input "x"; parameters are lengths in m above
// 0, which the function lists with names and defaults.
struct ObstacleShape {
  std::string_view name;      // as in obstacle_shape()
  std::string_view function;  // as in PROXIMA_FUNCTION(function)
};

// half_space   z <= 0; no parameters
// box          half_x, half_y, half_z, about the origin
// sphere       radius, about the origin
// capsule      half_length, radius: what is within the radius of the segment from -half_length to half_length along z
// cylinder     half_height, radius: about the origin, along z
std::span<const ObstacleShape> obstacle_shapes();

// std::logic_error when there is none of that name.
std::shared_ptr<const ir::Function> obstacle_shape(std::string_view name);

// What is solid and what is free changed for one another: a box becomes a container.
std::shared_ptr<const ir::Function> inside_out(const ir::Function& distance);

}  // namespace proxima::model
