// A strip of 4 x 1 squares that swings, with a field of nodes, one of elements and one of categories.
#pragma once

#include <cmath>

#include "apps/report/motion.hpp"

namespace proxima::test {

inline report::Motion strip(int frames) {
  report::Motion motion;
  motion.time_step = 0.01;
  for (unsigned i = 0; i <= 4; ++i)
    for (const float y : {0.f, 0.1f}) motion.rest.insert(motion.rest.end(), {0.1f * static_cast<float>(i), y, 0});
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned a = 2 * i;
    motion.triangles.insert(motion.triangles.end(), {a, a + 2, a + 3, a, a + 3, a + 1});
  }
  motion.lines = {0, 9};
  report::Field height{"height", "height", "m", report::On::nodes, {}, {}};
  report::Field number{"number", "number", "", report::On::elements, {}, {}};
  report::Field material{"material",           "material",        "",
                         report::On::elements, {"soft", "stiff"}, {{0, 0, 0, 0, 1, 1, 1, 1, 1}}};
  for (int k = 0; k < frames; ++k) {
    motion.steps.push_back(5 * k);
    auto& positions = motion.positions.emplace_back(motion.rest);
    auto& heights = height.frames.emplace_back();
    for (std::size_t i = 0; i < positions.size(); i += 3) {
      positions[i + 2] += positions[i] * std::sin(0.3f * static_cast<float>(k));
      heights.push_back(positions[i + 2]);
    }
    auto& numbers = number.frames.emplace_back();
    for (int e = 0; e < 9; ++e) numbers.push_back(static_cast<float>(e * k));
  }
  motion.fields = {height, number, material};
  return motion;
}

}  // namespace proxima::test
