// A surface as Wavefront .obj: what renderers read.
#pragma once

#include <filesystem>
#include <span>

#include "apps/proxima/surface.hpp"

namespace proxima::app {

// `positions`: 3 a node of the mesh. Vertices in the order of the surface's nodes, in full precision, then its
// triangles as faces and its lines. The file appears whole or not at all; throws Error naming it.
void write_obj(const std::filesystem::path& file, const Surface& surface, std::span<const double> positions);

}  // namespace proxima::app
