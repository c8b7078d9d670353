// A loss that a user wrote.
#pragma once

#include <vector>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/solve/region/user_function.hpp"

namespace proxima::adjoint {

// Mean over the frames of a function of one output, a number, of the state then; its time is that of the frame.
class FunctionLoss : public Loss {
 public:
  // Throws Error for no frames and for a function of another output.
  FunctionLoss(std::vector<int> frames, solve::UserFunction function, std::vector<model::Observation> inputs,
               std::vector<std::vector<double>> parameters, double time_step);
  double frame(int frame, std::span<const double> positions, std::span<const double> velocities,
               std::span<double> position_gradient, std::span<double> velocity_gradient) const override;
  int last_frame() const override { return frames_.back(); }

 private:
  std::vector<int> frames_;  // increasing
  mutable solve::UserFunction function_;
  std::vector<model::Observation> inputs_;
  std::vector<std::vector<double>> parameters_;
  double time_step_;
};

}  // namespace proxima::adjoint
