// A loss in a sweep backward over the frames.
#pragma once

#include <span>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"

namespace proxima::adjoint {

class LossSweep {
 public:
  explicit LossSweep(const Loss& loss) : loss_(loss) {}

  // To be called for each frame, the last first. Adds the derivatives by the state `at` there and returns the value, of
  // the frame and of what is between it and the one before, whose state is `before` (null for frame 0).
  double frame(int frame, const solve::State& at, const solve::State* before, std::span<double> by_x,
               std::span<double> by_v);

 private:
  const Loss& loss_;
  std::vector<double> waiting_;  // by the positions in the frame before, of what lies between
};

}  // namespace proxima::adjoint
