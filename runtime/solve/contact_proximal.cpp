#include "runtime/solve/contact_proximal.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

// A longer step may let the residual grow by this over a plain one, and alternating directions over the point before:
// the map is no descent.
constexpr double leeway = 1.5;
constexpr double shortest = 1e-6;  // of a step that leaves the energy's domain

}  // namespace

ProximalSteps::ProximalSteps(ContactEquations& equations, const SolverSettings& method,
                             contact::CondensedMethod condensed, double target)
    : equations_(equations),
      contacts_(equations.contacts()),
      a_(equations.potential().objective().preconditioner()),
      method_(condensed),
      target_(target),
      rows_(3 * a_.nodes().size()),
      half_(rows_.size()) {
  if (const auto accelerate = contact_method_row(method.method).accelerate) acceleration_ = accelerate(method.window);
}

void ProximalSteps::forget() {
  if (acceleration_) acceleration_->clear();
  dual_.reset();
}

std::vector<double> ProximalSteps::forces(const ContactPoint& from, const contact::CondensedSettings& settings) {
  halve(from.gradient);
  return condensed(from, settings);
}

ContactPoint ProximalSteps::take(ContactPoint from, SolverOutcome& work) {
  if (!acceleration_)
    if (auto next = alternate(from, work)) return std::move(*next);
  const std::vector<double> gradient = from.gradient;
  auto [moved, forces] = solve(from, gradient, work);
  double length = 1;
  std::vector<double> plain = moved;
  while (!std::isfinite(equations_.potential().value(plain).value) && length > shortest) {
    length /= 2;
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = from.x[i] + length * (moved[i] - from.x[i]);
  }
  ContactPoint next = equations_.evaluate(std::move(plain), std::move(forces));
  ++work.gradients;
  if (length < 1)
    forget();
  else if (acceleration_)
    next = accelerated(from, std::move(next), moved, work);
  return next;
}

ContactPoint ProximalSteps::accelerated(const ContactPoint& from, ContactPoint plain, std::span<const double> moved,
                                        SolverOutcome& work) {
  std::vector<double> f(moved.begin(), moved.end()), left = from.gradient;
  device::add_scaled(f, -1, from.x);
  add_forces(contacts_.keys(), from.at, plain.forces, -1, left);
  equations_.potential().objective().clear_held(left);
  auto longer = acceleration_->direction(from.x, f, left);
  if (longer.empty()) return plain;
  device::add_scaled(longer, 1, from.x);
  ContactPoint other = equations_.evaluate(std::move(longer), plain.forces);
  ++work.gradients;
  return other.residual < leeway * plain.residual ? std::move(other) : std::move(plain);
}

// None, and the dual set back, where it leaves more undone than there was.
std::optional<ContactPoint> ProximalSteps::alternate(ContactPoint& from, SolverOutcome& work) {
  const auto& potential = equations_.potential();
  if (!dual_) dual_ = potential.objective().equilibrium_dual(from.x);
  std::vector<double> gradient(from.x.size());
  potential.proximal_gradient(from.x, *dual_, gradient);
  auto [moved, forces] = solve(from, gradient, work);
  ContactPoint next = equations_.evaluate(std::move(moved), std::move(forces));
  ++work.gradients;
  if (next.residual < leeway * from.residual) return next;
  dual_.reset();
  return std::nullopt;
}

ProximalSteps::Move ProximalSteps::solve(ContactPoint& from, std::span<const double> gradient, SolverOutcome& work) {
  std::vector<double> moved(from.x.size());
  halve(gradient);
  // Where the body would go without contact, to see what it would meet there.
  move(from.x, moved);
  if (contacts_.add_near(moved)) {
    if (acceleration_) acceleration_->clear();
    from = equations_.evaluate(std::move(from.x), std::move(from.forces));
  }
  std::vector<double> forces = condensed(from, {.tolerance = share_of_target(from)});
  equations_.metric(from.at).add(forces, half_);
  move(from.x, moved);
  work.a_solves += 2;
  return {std::move(moved), std::move(forces)};
}

// Of the condensed problem's residual, so that what it leaves is small against what the step may leave.
double ProximalSteps::share_of_target(const ContactPoint& from) const {
  double largest = 0;
  for (std::size_t c = 0; c < from.at.size(); ++c)
    largest = std::max(largest, mesh::norm(mesh::vector_at(from.forces, c)));
  constexpr double share = 0.1, finest = 1e-13, coarsest = contact::CondensedSettings{}.tolerance;
  return largest > 0 ? std::clamp(share * target_ / largest, finest, coarsest) : coarsest;
}

// The half-way vector of -gradient.
void ProximalSteps::halve(std::span<const double> gradient) {
  std::vector<double> pull(gradient.begin(), gradient.end());
  for (double& force : pull) force = -force;
  a_.gather(pull, rows_);
  a_.forward(rows_, half_);
}

// From there: the forces of the condensed problem.
std::vector<double> ProximalSteps::condensed(const ContactPoint& from, contact::CondensedSettings settings) {
  settings.method = method_;
  const auto& metric = equations_.metric(from.at);
  std::vector<double> forces = from.forces, apart(3 * metric.size());
  metric.gather(half_, apart);
  device::add_scaled(apart, 1, equations_.violations(from));
  std::vector<contact::CondensedContact> law;
  law.reserve(metric.size());
  for (std::size_t c = 0; c < metric.size(); ++c) law.push_back(contacts_.cone(c, from.at[c]));
  contact::solve_condensed(metric, law, apart, forces, settings);
  return forces;
}

// x + L^-T of the half-way vector.
void ProximalSteps::move(std::span<const double> from, std::span<double> result) {
  a_.backward(half_, rows_);
  a_.scatter(rows_, result);
  device::add_scaled(result, 1, from);
}

}  // namespace proxima::solve
