// One evaluation of a loss with its gradient, as it is kept in a file, sent between processes and reported.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/optimize/minimiser.hpp"

namespace proxima::optimize {

// What rollouts took.
struct Cost {
  double seconds_forward = 0, seconds_backward = 0;
  std::int64_t a_solves_forward = 0, a_solves_backward = 0;
  double worst_step_residual = 0, worst_adjoint_residual = 0;
  // Steps with negative curvature, those whose adjoint a filter changed, and those at a kink of contact
  // (adjoint::Gradient); the earliest of each, from 1 on, 0 where there is none.
  std::int64_t negative_curvature_steps = 0, first_negative_curvature = 0;
  std::int64_t filtered_steps = 0, first_filtered = 0;
  std::int64_t kink_steps = 0, first_kink = 0;
  double worst_exact_residual = 0;
  double worst_loss_error = 0, worst_adjoint_error = 0, worst_forward_error = 0;  // where they are estimated
  Cost& operator+=(const Cost& other);
};

struct Record {
  int start = 0;  // which of the starts it belongs to, from 0
  std::vector<double> point;
  Evaluation found;
  std::string failure;  // why there is no value; empty when there is
  Cost cost;
};

std::string pack(const Record& record);
// Throws Error where the bytes are no record.
Record unpack(std::string_view bytes);

}  // namespace proxima::optimize
