#include "apps/proxima/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace proxima::app {

void print_evidence(const optimize::Cost& cost) {
  if (cost.negative_curvature_steps > 0)
    fmt::print(stderr,
               "proxima: warning: negative curvature in {} steps, first in step {}: those states are not minima, and "
               "the gradient holds for the branch that was found\n",
               cost.negative_curvature_steps, cost.first_negative_curvature);
  if (cost.filtered_steps > 0)
    fmt::print(stderr,
               "proxima: warning: adjoint.hessian changed {} steps, first step {}; with the exact Hessian the residual "
               "is up to {:.1e}: this is not the gradient of the loss\n",
               cost.filtered_steps, cost.first_filtered, cost.worst_exact_residual);
  if (cost.kink_steps > 0)
    fmt::print(stderr,
               "proxima: warning: a contact that touches without a force, or is just between sticking and sliding, in "
               "{} steps, first in step {}: the loss has a kink there, and the gradient is that of one side\n",
               cost.kink_steps, cost.first_kink);
  if (std::max({cost.worst_loss_error, cost.worst_forward_error, cost.worst_adjoint_error}) > 0)
    fmt::print(
        "estimated relative errors: loss {:.1e}, gradient {:.1e} by the tolerance of the steps; gradient {:.1e} by "
        "that "
        "of the adjoint\n",
        cost.worst_loss_error, cost.worst_forward_error, cost.worst_adjoint_error);
}

}  // namespace proxima::app
