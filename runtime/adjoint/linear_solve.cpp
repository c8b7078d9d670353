#include "runtime/adjoint/linear_solve.hpp"

#include <algorithm>

namespace proxima::adjoint {

AdjointSolver::OnGpu::OnGpu(solve::CudaObjective& there, const AdjointSettings& settings)
    : objective(there), solver(there, settings), x(there.vector()), b(there.vector()), guess(there.vector()) {}

AdjointSolver::AdjointSolver(const solve::Objective& objective, const AdjointSettings& settings)
    : z_(3 * objective.nodes()), residual_(z_.size()) {
  if (solve::CudaObjective* gpu = objective.gpu())
    on_gpu_.emplace(*gpu, settings);
  else
    on_cpu_.emplace(objective, settings);
}

SolveEvidence AdjointSolver::solve(std::span<const double> x, std::span<const double> b, derive::Quantity product) {
  SolveEvidence evidence;
  if (on_gpu_) {
    on_gpu_->objective.follow();
    on_gpu_->x.write(x);
    on_gpu_->b.write(b);
    evidence = on_gpu_->solver.solve(on_gpu_->x, on_gpu_->b, product);
    on_gpu_->solver.solution().read(z_);
  } else {
    evidence = on_cpu_->solve(x, b, product);
    z_ = on_cpu_->solution();
  }
  return evidence;
}

SolveEvidence AdjointSolver::correct(std::span<const double> x, std::span<const double> b,
                                     std::span<const double> guess, double reduction) {
  SolveEvidence evidence;
  if (on_gpu_) {
    on_gpu_->objective.follow();
    on_gpu_->x.write(x);
    on_gpu_->b.write(b);
    on_gpu_->guess.write(guess);
    evidence = on_gpu_->solver.correct(on_gpu_->x, on_gpu_->b, on_gpu_->guess, reduction);
    on_gpu_->solver.solution().read(z_);
    on_gpu_->solver.residual().read(residual_);
  } else {
    evidence = on_cpu_->correct(x, b, guess, reduction);
    z_ = on_cpu_->solution();
    residual_ = on_cpu_->residual();
  }
  return evidence;
}

}  // namespace proxima::adjoint
