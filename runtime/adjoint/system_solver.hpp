// The linear systems of the adjoint, H(x) z = b, one after the other, wherever their vectors live: CG preconditioned by
// A, and MINRES (Paige and Saunders 1975) with the same preconditioner where H is found to be indefinite, which happens
// when a state is not a minimum of g. H is the exact one unless another is asked for by name (filter.hpp).
#pragma once

#include "runtime/adjoint/adjoint.hpp"
#include "runtime/solve/objective/conjugate_gradients.hpp"

namespace proxima::adjoint {

// A solve that goes no lower has met rounding if its relative residual is below this; above it, it is no solution,
// whatever the reason.
inline constexpr double stalled_limit = 1e-6;

struct SolveEvidence {
  int a_solves = 0;
  double residual = 0;  // |b - H z| / |b|, recomputed from z
  bool negative_curvature = false;
  bool solved = false;  // to the tolerance, or to where rounding lets it go no lower
  // Of a filtered H: |b - H z| / |b| with the exact one, and whether the filter is what keeps it above the tolerance.
  double exact_residual = 0;
  bool filtered = false;
};

// Where the first system takes long, the others recycle the solutions of the last few (the same for every way to keep
// states, since the sweep is the same); else each may start from an extrapolation of the last two.
template <class System>  // solve::Objective, or solve::CudaObjective
class SystemSolver {
 public:
  using Vector = typename System::Vector;
  using In = typename System::In;

  SystemSolver(const System& system, const AdjointSettings& settings);

  // b is zero on held nodes; `product`: the H that is inverted, exact or filtered. The solution stays until the next
  // call.
  SolveEvidence solve(In x, In b, derive::Quantity product = derive::Quantity::hessian_vector);
  // From a guess, until |b - H z| is down to this share of what it was, or goes no lower; H the exact one.
  SolveEvidence correct(In x, In b, In guess, double reduction);
  const Vector& solution() const { return z_; }
  const Vector& residual() const { return residual_; }  // b - H z, of the last call of correct()

 private:
  // |b - H z|; leaves b - H z in residual_.
  double find_residual(In b);
  // Both set z and return |b - H z|: an extrapolation, and zero, with the space made for H.
  double guess(In b, double b_norm);
  double recycle_last(double b_norm);
  // From z and its residual down to the target. Returns the residual reached.
  double lower(In b, double now, double target, SolveEvidence& evidence,
               const solve::BasicRecycledSpace<System>* space = nullptr);

  const System& system_;
  AdjointSettings settings_;
  solve::BasicCgWorkspace<System> work_;
  Vector z_, previous_, before_previous_, residual_;
  int solved_ = 0;          // systems so far
  int first_a_solves_ = 0;  // of the first of them that took any
  solve::BasicRecycledSpace<System> space_;
};

// Adds a correction to z so that |b - H z|, H as last linearised, in the norm of A^-1 falls by `reduction`. Returns the
// applications of A^-1.
template <class System>
int minres(const System& system, typename System::In b, double reduction, int max_iterations, typename System::Out z);

}  // namespace proxima::adjoint
