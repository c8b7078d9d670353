// A smooth curve through samples at equal distances, as weights of the samples: cubic convolution, continuous with its
// slope (Keys, "Cubic convolution interpolation for digital image processing", 1981). Internal to the room.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace proxima::contact {

// Of samples first to first + 3, those of absent samples being 0. Slope and curvature are by the distance in samples.
struct CubicWeights {
  int first = 0;
  std::array<double, 4> value{}, slope{}, curvature{};
};

// `at` counts from the first of `count` samples, at least two. Beyond the first and last sample the curve goes on
// straight, with the slope it has there, and samples that it would need beyond them lie on these lines.
inline CubicWeights cubic_weights(double at, int count) {
  const int interval = static_cast<int>(std::clamp(std::floor(at), 0.0, count - 2.0));
  const double t = at - interval;
  CubicWeights all{interval - 1, {}, {}, {}};
  if (t < 0 || t > 1) {  // by the two outermost samples alone
    all.value = {0, 1 - t, t, 0};
    all.slope = {0, -1, 1, 0};
  } else {
    all.value = {((-t + 2) * t - 1) * t / 2, ((3 * t - 5) * t * t + 2) / 2, ((-3 * t + 4) * t + 1) * t / 2,
                 (t - 1) * t * t / 2};
    all.slope = {((-3 * t + 4) * t - 1) / 2, (9 * t - 10) * t / 2, ((-9 * t + 8) * t + 1) / 2, (3 * t - 2) * t / 2};
    all.curvature = {-3 * t + 2, 9 * t - 5, -9 * t + 4, 3 * t - 1};
  }
  // f[-1] = 2 f[0] - f[1], and likewise behind the last.
  const auto fold = [&](std::size_t absent, std::size_t near, std::size_t far) {
    for (auto* weights : {&all.value, &all.slope, &all.curvature}) {
      (*weights)[near] += 2 * (*weights)[absent];
      (*weights)[far] -= (*weights)[absent];
      (*weights)[absent] = 0;
    }
  };
  if (interval == 0) fold(0, 1, 2);
  if (interval == count - 2) fold(3, 2, 1);
  return all;
}

}  // namespace proxima::contact
