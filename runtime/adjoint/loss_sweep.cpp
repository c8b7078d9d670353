#include "runtime/adjoint/loss_sweep.hpp"

#include "runtime/device/parallel.hpp"

namespace proxima::adjoint {

double LossSweep::frame(int frame, const solve::State& at, const solve::State* before, std::span<double> by_x,
                        std::span<double> by_v) {
  double value = loss_.frame(frame, at.positions, at.velocities, by_x, by_v);
  if (!waiting_.empty()) device::add_scaled(by_x, 1, waiting_);
  if (before == nullptr) return value;
  waiting_.assign(by_x.size(), 0);
  return value + loss_.between(frame, before->positions, at.positions, waiting_, by_x);
}

}  // namespace proxima::adjoint
