// The sides of triangles, sorted so that those of one edge are neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

struct Side {
  std::int32_t low, high;  // node numbers of the edge
  std::int32_t opposite;   // the triangle's third node
  std::size_t triangle;
  bool forward;  // the triangle goes from low to high
};

inline std::vector<Side> sorted_sides(const Elements& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.count());
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto nodes = triangles.of(t);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto from = nodes[c], to = nodes[(c + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), nodes[(c + 2) % 3], t, from < to});
    }
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return std::pair(a.low, a.high) < std::pair(b.low, b.high); });
  return sides;
}

// Calls visit(sides of one edge) for each edge.
template <class Visit>
void for_each_edge(std::span<const Side> sides, Visit visit) {
  for (std::size_t first = 0, last = 0; first < sides.size(); first = last) {
    while (last < sides.size() && sides[last].low == sides[first].low && sides[last].high == sides[first].high) ++last;
    visit(sides.subspan(first, last - first));
  }
}

}  // namespace proxima::mesh
