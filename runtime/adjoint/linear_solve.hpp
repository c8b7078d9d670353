// The linear systems of the adjoint, H(x) z = b: CG preconditioned by A, and MINRES (Paige and Saunders 1975) with the
// same preconditioner where H is found to be indefinite, which happens when a state is not a minimum of g. No
// filtering: the H that is inverted is the exact one.
#pragma once

#include <span>
#include <vector>

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/solve/conjugate_gradients.hpp"

namespace proxima::adjoint {

struct SolveEvidence {
  int a_solves = 0;
  double residual = 0;  // |b - H z| / |b|, recomputed from z
  bool negative_curvature = false;
  bool solved = false;  // to the tolerance, or to where rounding lets it go no lower
};

// Solves one system after the other; each may start from an extrapolation of the last two solutions.
class AdjointSolver {
 public:
  AdjointSolver(const solve::Objective& objective, const AdjointSettings& settings);

  // b is zero on held nodes. The solution stays until the next call.
  SolveEvidence solve(std::span<const double> x, std::span<const double> b);
  std::span<const double> solution() const { return z_; }

 private:
  // |b - H z|; leaves b - H z in residual_.
  double residual(std::span<const double> b);
  void guess(std::span<const double> b, double b_norm);

  const solve::Objective& objective_;
  AdjointSettings settings_;
  solve::CgWorkspace work_;
  std::vector<double> z_, previous_, before_previous_, residual_;
  int solved_ = 0;  // systems so far
};

// Adds a correction to z so that |b - H z|, H as last assembled, in the norm of A^-1 falls by `reduction`. Returns the
// applications of A^-1.
int minres(const solve::Objective& objective, std::span<const double> b, double reduction, int max_iterations,
           std::span<double> z);

}  // namespace proxima::adjoint
