// The linear systems of the adjoint, H(x) z = b: CG preconditioned by A, and MINRES (Paige and Saunders 1975) with the
// same preconditioner where H is found to be indefinite, which happens when a state is not a minimum of g. H is the
// exact one unless another is asked for by name (filter.hpp). On the GPU where the objective uses one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/adjoint/system_solver.hpp"
#include "runtime/solve/cuda_objective.hpp"

namespace proxima::adjoint {

class AdjointSolver {
 public:
  AdjointSolver(const solve::Objective& objective, const AdjointSettings& settings);

  // As of SystemSolver. The solution stays until the next call.
  SolveEvidence solve(std::span<const double> x, std::span<const double> b,
                      derive::Quantity product = derive::Quantity::hessian_vector);
  SolveEvidence correct(std::span<const double> x, std::span<const double> b, std::span<const double> guess,
                        double reduction);
  std::span<const double> solution() const { return z_; }
  std::span<const double> residual() const { return residual_; }  // b - H z, of the last call of correct()

 private:
  struct OnGpu {
    OnGpu(solve::CudaObjective& objective, const AdjointSettings& settings);
    solve::CudaObjective& objective;
    SystemSolver<solve::CudaObjective> solver;
    device::CudaVector x, b, guess;
  };
  std::vector<double> z_, residual_;
  std::optional<SystemSolver<solve::Objective>> on_cpu_;  // one of the two
  std::optional<OnGpu> on_gpu_;
};

}  // namespace proxima::adjoint
