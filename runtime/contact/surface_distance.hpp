// Obstacles by a closed surface of triangles. Internal to the room.
#pragma once

#include <memory>

#include "runtime/contact/distance.hpp"

namespace proxima::contact {

// The distance to the nearest point of the surface. Its sign is that of the normal there (Baerentzen and Aanaes,
// "Signed distance computation using the angle weighted pseudonormal", 2005). A point on the surface has the normal of
// a face there.
std::unique_ptr<Distance> make_distance(const model::ClosedSurface& surface);

}  // namespace proxima::contact
