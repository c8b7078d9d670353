// Obstacles by samples on a grid: ground by its heights, and anything by its signed distance. Internal to the room.
#pragma once

#include <memory>

#include "runtime/contact/distance.hpp"

namespace proxima::contact {

// The gap is (z - h)/sqrt(1 + |grad h|^2), the distance to first order: its gradient on the ground is the unit normal.
std::unique_ptr<Distance> make_distance(const model::HeightField& field);

// The gap is phi/|grad phi|, as of functions. Beyond the grid phi is what it is at the nearest point of the grid, and
// the distance to there on top.
std::unique_ptr<Distance> make_distance(const model::DistanceGrid& grid);

}  // namespace proxima::contact
