#include "runtime/device/cuda_ahead.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/cuda_lane.hpp"

namespace proxima::device {

// Who waits for a number leaves the GPU idle for a moment, who queues too many has it do an iteration for nothing.
int CudaAhead::next(double start, double now, double target, int iterations) const {
  constexpr double share = 0.75;
  if (CudaLane::of(*device) != nullptr) return 1;
  const double fall = std::log(start / now) / iterations;
  const double left = fall > 0 ? share * std::log(now / target) / fall : iterations;
  return static_cast<int>(std::clamp(left, 1.0, double(most)));
}

void CudaRepeated::operator()() {
  if (!begun_ || !queued_ || !ahead_->with_graphs || CudaLane::of(*ahead_->device) != nullptr) {
    begun_ = true;
    return work_();
  }
  if (graph_ == nullptr) graph_ = &ahead_->graphs.record(work_);
  graph_->launch();
}

}  // namespace proxima::device
