#include "runtime/solve/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {

CgOutcome conjugate_gradients(const Objective& objective, std::span<const double> b, double tolerance,
                              int max_iterations, bool zero_guess, CgWorkspace& work, std::span<double> z,
                              const RecycledSpace* space) {
  CgOutcome outcome;
  auto& [r, s, p, q] = work;
  std::copy(b.begin(), b.end(), r.begin());
  if (!zero_guess) {
    objective.hessian_product(z, q);
    device::add_scaled(r, -1, q);
  }
  if (space != nullptr) space->project(r, z);
  outcome.residual = device::norm(r);
  double rs = 0;
  while (outcome.residual > tolerance && outcome.iterations < max_iterations) {
    objective.precondition_hessian(r, s);
    if (space != nullptr) space->deflate(r, s);
    const double previous = rs;
    rs = device::dot(r, s);
    if (outcome.iterations++ == 0) {
      std::copy(s.begin(), s.end(), p.begin());
    } else {
      const double beta = rs / previous;
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = s[i] + beta * p[i];
    }
    objective.hessian_product(p, q);
    const double curvature = device::dot(p, q);
    if (!(curvature > 0)) {
      outcome.negative_curvature = true;
      break;
    }
    const double alpha = rs / curvature;
    for (std::size_t i = 0; i < p.size(); ++i) {
      z[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    outcome.residual = device::norm(r);
  }
  return outcome;
}

}  // namespace proxima::solve
