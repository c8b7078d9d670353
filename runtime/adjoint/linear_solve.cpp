#include "runtime/adjoint/linear_solve.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"

namespace proxima::adjoint {
namespace {

// A restart that does not lower the true residual by this factor has met rounding.
constexpr double worthwhile = 0.5;
// Above this residual a solve that has stalled is no solution, whatever the reason.
constexpr double stalled_limit = 1e-6;
// Solutions that are recycled. On the armadillo (85 A-solves without) 4, 6 and 8 leave 61, 57 and 54, for a product
// each.
constexpr std::size_t recycled = 6;
// A-solves from which on that pays.
constexpr int worth_recycling = 40;

}  // namespace

AdjointSolver::AdjointSolver(const solve::Objective& objective, const AdjointSettings& settings)
    : objective_(objective),
      settings_(settings),
      work_(3 * objective.nodes()),
      z_(3 * objective.nodes()),
      previous_(z_.size()),
      before_previous_(z_.size()),
      residual_(z_.size()),
      space_(recycled) {}

double AdjointSolver::find_residual(std::span<const double> b) {
  objective_.hessian_product(z_, residual_);
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] = b[i] - residual_[i];
  return device::norm(residual_);
}

double AdjointSolver::guess(std::span<const double> b, double b_norm) {
  std::swap(before_previous_, previous_);
  std::swap(previous_, z_);
  if (solved_ > 1 && b_norm > 0) {
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = 2 * previous_[i] - before_previous_[i];
    if (const double now = find_residual(b); now < b_norm) return now;
  }
  std::fill(z_.begin(), z_.end(), 0.0);
  return b_norm;
}

double AdjointSolver::recycle_last(double b_norm) {
  space_.add(z_);
  space_.turn(objective_);
  std::fill(z_.begin(), z_.end(), 0.0);
  return b_norm;
}

SolveEvidence AdjointSolver::solve(std::span<const double> x, std::span<const double> b, derive::Quantity product) {
  SolveEvidence evidence;
  const double b_norm = device::norm(b);
  objective_.linearise(x, product);
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
    objective_.linearise(x);
    const double exact = find_residual(b);
    evidence.exact_residual = exact / b_norm;
    evidence.filtered = exact > std::max(target, 2 * now);
  }
  return evidence;
}

SolveEvidence AdjointSolver::correct(std::span<const double> x, std::span<const double> b,
                                     std::span<const double> guess, double reduction) {
  SolveEvidence evidence;
  objective_.linearise(x);
  z_.assign(guess.begin(), guess.end());
  const double before = find_residual(b), now = lower(b, before, reduction * before, evidence);
  evidence.residual = now == 0 ? 0 : now / device::norm(b);
  evidence.solved = true;
  return evidence;
}

double AdjointSolver::lower(std::span<const double> b, double now, double target, SolveEvidence& evidence,
                            const solve::RecycledSpace* space) {
  while (now > target && evidence.a_solves < settings_.max_cg) {
    const int left = settings_.max_cg - evidence.a_solves;
    if (evidence.negative_curvature) {
      evidence.a_solves += minres(objective_, b, std::min(0.1, 0.1 * target / now), left, z_);
    } else {
      const auto outcome = solve::conjugate_gradients(objective_, b, target, left, false, work_, z_, space);
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

int minres(const solve::Objective& objective, std::span<const double> b, double reduction, int max_iterations,
           std::span<double> solution) {
  // The preconditioned form in the notation of Elman, Silvester and Wathen, Finite Elements and Fast Iterative Solvers.
  const std::size_t size = b.size();
  std::vector<double> v(size), v_before(size), v_next(size), z(size), w(size), w_before(size), w_next(size);
  objective.hessian_product(solution, v);
  for (std::size_t i = 0; i < size; ++i) v[i] = b[i] - v[i];
  objective.precondition_hessian(v, z);
  int applications = 1;
  double gamma = std::sqrt(std::max(0.0, device::dot(v, z))), gamma_before = 1;
  const double target = reduction * gamma;
  double eta = gamma, s_before = 0, s = 0, c_before = 1, c = 1;
  while (std::abs(eta) > target && applications < max_iterations) {
    for (double& entry : z) entry /= gamma;
    objective.hessian_product(z, v_next);
    const double delta = device::dot(v_next, z);
    for (std::size_t i = 0; i < size; ++i) v_next[i] -= delta / gamma * v[i] + gamma / gamma_before * v_before[i];
    const double alpha2 = s * delta + c_before * c * gamma, alpha3 = s_before * gamma;
    for (std::size_t i = 0; i < size; ++i) w_next[i] = z[i] - alpha3 * w_before[i] - alpha2 * w[i];
    objective.precondition_hessian(v_next, z);
    ++applications;
    const double gamma_next = std::sqrt(std::max(0.0, device::dot(v_next, z)));
    const double alpha0 = c * delta - c_before * s * gamma;
    const double alpha1 = std::hypot(alpha0, gamma_next);
    if (alpha1 == 0) break;  // H is singular on the Krylov space
    c_before = c;
    s_before = s;
    c = alpha0 / alpha1;
    s = gamma_next / alpha1;
    for (std::size_t i = 0; i < size; ++i) {
      w_next[i] /= alpha1;
      solution[i] += c * eta * w_next[i];
    }
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

}  // namespace proxima::adjoint
