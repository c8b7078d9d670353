#include "runtime/adjoint/system_solver.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::adjoint {
namespace {

// A restart that does not lower the true residual by this factor has met rounding.
constexpr double worthwhile = 0.5;
// Solutions that are recycled. On the armadillo (85 A-solves without) 4, 6 and 8 leave 61, 57 and 54, for a product
// each.
constexpr std::size_t recycled = 6;
// A-solves from which on that pays.
constexpr int worth_recycling = 40;

}  // namespace

template <class System>
SystemSolver<System>::SystemSolver(const System& system, const AdjointSettings& settings)
    : system_(system),
      settings_(settings),
      work_(system),
      z_(system.vector()),
      previous_(system.vector()),
      before_previous_(system.vector()),
      residual_(system.vector()),
      space_(recycled) {}

template <class System>
double SystemSolver<System>::find_residual(In b) {
  solve::exact_hessian_product(system_, z_, residual_);
  device::scale_and_add(residual_, -1, b);
  return device::norm(residual_);
}

template <class System>
double SystemSolver<System>::guess(In b, double b_norm) {
  std::swap(before_previous_, previous_);
  std::swap(previous_, z_);
  if (solved_ > 1 && b_norm > 0) {
    device::combine(z_, before_previous_, -2, previous_);
    device::negate(z_);
    if (const double now = find_residual(b); now < b_norm) return now;
  }
  device::set_zero(z_);
  return b_norm;
}

template <class System>
double SystemSolver<System>::recycle_last(double b_norm) {
  space_.add(z_, system_);
  space_.turn(system_);
  device::set_zero(z_);
  return b_norm;
}

template <class System>
SolveEvidence SystemSolver<System>::solve(In x, In b, derive::Quantity product) {
  SolveEvidence evidence;
  const double b_norm = device::norm(b);
  system_.linearise(x, product);
  const bool recycle = first_a_solves_ >= worth_recycling;
  const double guessed = recycle ? recycle_last(b_norm) : guess(b, b_norm);
  ++solved_;
  if (b_norm == 0) {
    evidence.solved = true;
    return evidence;
  }
  const double target = settings_.tolerance * b_norm;
  const double now = lower(b, guessed, target, evidence, recycle ? &space_ : nullptr);
  if (first_a_solves_ == 0) first_a_solves_ = evidence.a_solves;
  evidence.residual = now / b_norm;
  evidence.solved = now <= target || (evidence.a_solves < settings_.max_cg && evidence.residual < stalled_limit);
  if (product != derive::Quantity::hessian_vector) {
    system_.linearise(x);
    const double exact = find_residual(b);
    evidence.exact_residual = exact / b_norm;
    evidence.filtered = exact > std::max(target, 2 * now);
  }
  return evidence;
}

template <class System>
SolveEvidence SystemSolver<System>::correct(In x, In b, In guess, double reduction) {
  SolveEvidence evidence;
  system_.linearise(x);
  device::copy(guess, z_);
  const double before = find_residual(b), now = lower(b, before, reduction * before, evidence);
  evidence.residual = now == 0 ? 0 : now / device::norm(b);
  evidence.solved = true;
  return evidence;
}

template <class System>
double SystemSolver<System>::lower(In b, double now, double target, SolveEvidence& evidence,
                                   const solve::BasicRecycledSpace<System>* space) {
  while (now > target && evidence.a_solves < settings_.max_cg) {
    const int left = settings_.max_cg - evidence.a_solves;
    if (evidence.negative_curvature) {
      evidence.a_solves += minres(system_, b, std::min(0.1, 0.1 * target / now), left, z_);
    } else {
      const double within_reach = std::max(target, solve::product_rounding(system_) * now);
      const auto outcome = solve::conjugate_gradients(system_, b, within_reach, left, false, work_, z_, space);
      evidence.a_solves += outcome.iterations;
      if (outcome.negative_curvature) {
        evidence.negative_curvature = true;
        now = find_residual(b);
        continue;
      }
    }
    const double before = now;
    now = find_residual(b);
    if (!(now < worthwhile * before)) break;
  }
  return now;
}

template <class System>
int minres(const System& system, typename System::In b, double reduction, int max_iterations,
           typename System::Out solution) {
  // The preconditioned form in the notation of Elman, Silvester and Wathen, Finite Elements and Fast Iterative Solvers.
  auto v = system.vector(), v_before = system.vector(), v_next = system.vector(), z = system.vector();
  auto w = system.vector(), w_before = system.vector(), w_next = system.vector();
  solve::exact_hessian_product(system, solution, v);
  device::scale_and_add(v, -1, b);
  system.precondition_hessian(v, z);
  int applications = 1;
  double gamma = std::sqrt(std::max(0.0, device::dot(v, z))), gamma_before = 1;
  const double target = reduction * gamma;
  double eta = gamma, s_before = 0, s = 0, c_before = 1, c = 1;
  while (std::abs(eta) > target && applications < max_iterations) {
    device::divide(z, gamma);
    system.hessian_product(z, v_next);
    const double delta = device::dot(v_next, z);
    device::add_scaled(v_next, -delta / gamma, v);
    device::add_scaled(v_next, -gamma / gamma_before, v_before);
    const double alpha2 = s * delta + c_before * c * gamma, alpha3 = s_before * gamma;
    device::combine(w_next, z, -alpha3, w_before);
    device::add_scaled(w_next, -alpha2, w);
    system.precondition_hessian(v_next, z);
    ++applications;
    const double gamma_next = std::sqrt(std::max(0.0, device::dot(v_next, z)));
    const double alpha0 = c * delta - c_before * s * gamma;
    const double alpha1 = std::hypot(alpha0, gamma_next);
    if (alpha1 == 0) break;  // H is singular on the Krylov space
    c_before = c;
    s_before = s;
    c = alpha0 / alpha1;
    s = gamma_next / alpha1;
    device::divide(w_next, alpha1);
    device::add_scaled(solution, c * eta, w_next);
    eta *= -s;
    std::swap(w_before, w);
    std::swap(w, w_next);
    std::swap(v_before, v);
    std::swap(v, v_next);
    gamma_before = gamma;
    gamma = gamma_next;
    if (gamma == 0) break;  // the Krylov space is exhausted
  }
  return applications;
}

template class SystemSolver<solve::Objective>;
template class SystemSolver<solve::CudaObjective>;

}  // namespace proxima::adjoint
