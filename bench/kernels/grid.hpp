// The body of the kernel benchmarks: 196 608 tetrahedra of a cube, smoothly deformed.
#pragma once

#include <cmath>
#include <vector>

#include "runtime/mesh/mesh.hpp"

namespace proxima::bench {

struct Grid {
  explicit Grid(int cells) {
    const mesh::Mesh box = mesh::make_box({cells, cells, cells}, {0, 0, 0}, {1, 1, 1});
    const mesh::Elements& elements = mesh::elements(box, mesh::Shape::tetrahedron);
    const mesh::RestGeometry geometry = mesh::rest_geometry(elements, box.nodes, "grid");
    nodes = elements.nodes;
    gradients = geometry.gradients;
    volume = geometry.measure;
    for (const auto& [x, y, z] : box.nodes) {
      rest.insert(rest.end(), {x, y, z});
      positions.insert(positions.end(), {x + 0.1 * std::sin(3 * y), y * 1.1 + 0.05 * std::cos(4 * z), z + 0.2 * x * y});
      direction.insert(direction.end(), {std::sin(5 * z), std::cos(3 * x), x * y - z});
    }
  }
  std::size_t elements() const { return volume.size(); }

  std::vector<double> rest, positions, direction, gradients, volume;
  std::vector<std::int32_t> nodes;
};

inline const Grid& grid() {
  static const Grid instance(32);
  return instance;
}

}  // namespace proxima::bench
