#include "runtime/adjoint/gmres_solve.hpp"

#include "runtime/device/parallel.hpp"

namespace proxima::adjoint {

template <class Basis>
SolveEvidence solve_by_gmres(const typename Basis::Operator& op, typename Basis::In b, const AdjointSettings& settings,
                             const std::function<void()>& take) {
  SolveEvidence evidence;
  auto u = device::like(b), residual = device::like(b), image = device::like(b);
  device::copy(b, residual);
  const double b_norm = device::norm(b), target = settings.tolerance * b_norm;
  double now = b_norm;
  evidence.solved = b_norm == 0;
  while (!evidence.solved && evidence.a_solves < settings.max_cg) {
    const auto outcome = contact::basic_gmres<Basis>(op, residual, target, settings.max_cg - evidence.a_solves, u);
    evidence.a_solves += outcome.iterations + 1;
    op.apply(u, image);
    take();
    device::add_scaled(residual, -1, image);
    const double before = now;
    now = device::norm(residual);
    evidence.solved = now <= target;
    if (!(now < before / 2)) break;
  }
  evidence.residual = b_norm > 0 ? now / b_norm : 0;
  evidence.solved = evidence.solved || evidence.residual < stalled_limit;
  return evidence;
}

template SolveEvidence solve_by_gmres<contact::KrylovBasis>(const contact::LinearOperator&, std::span<const double>,
                                                            const AdjointSettings&, const std::function<void()>&);
template SolveEvidence solve_by_gmres<contact::CudaKrylovBasis>(const contact::CudaLinearOperator&,
                                                                const device::CudaVector&, const AdjointSettings&,
                                                                const std::function<void()>&);

}  // namespace proxima::adjoint
