// Where a time lies among the frames of a motion in equal steps.
#pragma once

#include <cmath>

namespace proxima::model {

struct Moment {
  int frame = 0;     // the one that it is in, or the next
  double share = 1;  // of the way there from the frame before; 1: it is in the frame
};

// In steps: a time that is so near to a frame is in it, for k h rounds.
inline constexpr double frame_width = 1e-9;

// `time` >= 0.
inline Moment moment_at(double time, double time_step) {
  const double steps = time / time_step, nearest = std::round(steps);
  if (std::abs(steps - nearest) <= frame_width) return {static_cast<int>(nearest), 1};
  const double next = std::ceil(steps);
  return {static_cast<int>(next), steps - (next - 1)};
}

}  // namespace proxima::model
