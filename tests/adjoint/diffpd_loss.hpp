// The loss of DiffPD's benchmarks, and how far a gradient is from DiffPD's.
#pragma once

#include <algorithm>
#include <cmath>

#include "runtime/adjoint/losses.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/solve/diffpd_cantilever.hpp"

namespace proxima::test {

// q . position_weights + v . velocity_weights of the last frame, the loss of DiffPD's benchmarks: `scene` has these
// weights and a model, and must outlive it.
template <class Scene>
adjoint::UserLoss diffpd_loss(const Scene& scene) {
  return {scene.model.steps, [&scene](int frame, std::span<const double> q, std::span<const double> v,
                                      std::span<double> q_gradient, std::span<double> v_gradient) {
            if (frame != scene.model.steps) return 0.0;
            if (!q_gradient.empty()) device::add_scaled(q_gradient, 1, scene.position_weights);
            if (!v_gradient.empty()) device::add_scaled(v_gradient, 1, scene.velocity_weights);
            return device::dot(q, scene.position_weights) + device::dot(v, scene.velocity_weights);
          }};
}

inline double relative_distance(const std::vector<double>& found, const std::vector<double>& expected) {
  std::vector<double> difference = found;
  device::add_scaled(difference, -1, expected);
  return device::norm(difference) / device::norm(expected);
}

inline double largest_distance(const std::vector<double>& found, const std::vector<double>& expected) {
  double result = 0;
  for (std::size_t i = 0; i < found.size(); ++i) result = std::max(result, std::abs(found[i] - expected[i]));
  return result;
}

}  // namespace proxima::test
