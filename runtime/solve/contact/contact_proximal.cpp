#include "runtime/solve/contact/contact_proximal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

// A longer step may let the residual grow by this over a plain one, and alternating directions over the point before:
// the map is no descent.
constexpr double leeway = 1.5;
constexpr double shortest = 1e-6;  // of a step that leaves the energy's domain

}  // namespace

template <class P>
ProximalSteps<P>::ProximalSteps(Equations& equations, const SolverSettings& method, contact::CondensedMethod condensed,
                                double target)
    : equations_(equations),
      contacts_(equations.contacts()),
      method_(condensed),
      target_(target),
      acceleration_(make_acceleration<System>(contact_method_row(method.method).longer, method.window)),
      response_(equations.objective()) {}

template <class P>
void ProximalSteps<P>::forget() {
  if (acceleration_) acceleration_->clear();
  dual_.reset();
}

template <class P>
std::vector<double> ProximalSteps<P>::forces(const Point& from, const contact::CondensedSettings& settings) {
  load(from.gradient);
  return condensed(from, settings);
}

template <class P>
auto ProximalSteps<P>::take(Point from, SolverOutcome& work) -> Point {
  if (!acceleration_)
    if (auto next = alternate(from, work)) return std::move(*next);
  const Vector gradient = copied(from.gradient);
  auto [moved, forces] = solve(from, gradient, work);
  double length = 1;
  Vector plain = copied(moved);
  while (!std::isfinite(equations_.potential().value(plain).value) && length > shortest) {
    length /= 2;
    Vector way = copied(moved);
    device::add_scaled(way, -1, from.x);
    device::combine(plain, from.x, length, way);
  }
  Point next = equations_.evaluate(std::move(plain), std::move(forces));
  ++work.gradients;
  if (length < 1) {
    forget();
    stuck_ = !std::isfinite(next.residual);
    return stuck_ ? std::move(from) : std::move(next);
  }
  return acceleration_ ? accelerated(from, std::move(next), moved, work) : std::move(next);
}

template <class P>
auto ProximalSteps<P>::accelerated(const Point& from, Point plain, In moved, SolverOutcome& work) -> Point {
  Vector f = copied(moved), left = copied(from.gradient);
  device::add_scaled(f, -1, from.x);
  equations_.add_forces(from.at, plain.forces, -1, left);
  auto longer = acceleration_->direction(from.x, f, left);
  if (!longer) return plain;
  device::add_scaled(*longer, 1, from.x);
  Point other = equations_.evaluate(std::move(*longer), plain.forces);
  ++work.gradients;
  return other.residual < leeway * plain.residual ? std::move(other) : std::move(plain);
}

// None, and the dual set back, where it leaves more undone than there was.
template <class P>
auto ProximalSteps<P>::alternate(Point& from, SolverOutcome& work) -> std::optional<Point> {
  const auto& potential = equations_.potential();
  if (!dual_) dual_ = potential.objective().equilibrium_dual(from.x);
  Vector gradient = device::like(from.x);
  potential.proximal_gradient(from.x, *dual_, gradient);
  auto [moved, forces] = solve(from, gradient, work);
  Point next = equations_.evaluate(std::move(moved), std::move(forces));
  ++work.gradients;
  if (next.residual < leeway * from.residual) return next;
  dual_.reset();
  return std::nullopt;
}

template <class P>
auto ProximalSteps<P>::solve(Point& from, In gradient, SolverOutcome& work) -> Move {
  Vector moved = device::like(from.x);
  load(gradient);
  // Where the body would go without contact, to see what it would meet there.
  move(from.x, moved);
  if (equations_.add_near(moved)) {
    if (acceleration_) acceleration_->clear();
    from = equations_.evaluate(std::move(from.x), std::move(from.forces));
  }
  std::vector<double> forces = condensed(from, {.tolerance = share_of_target(from)});
  response_.add_forces(equations_.metric(from.at), forces);
  move(from.x, moved);
  work.a_solves += 2;
  return {std::move(moved), std::move(forces)};
}

// Of the condensed problem's residual, so that what it leaves is small against what the step may leave.
template <class P>
double ProximalSteps<P>::share_of_target(const Point& from) const {
  double largest = 0;
  for (std::size_t c = 0; c < from.at.size(); ++c)
    largest = std::max(largest, mesh::norm(mesh::vector_at(from.forces, c)));
  constexpr double share = 0.1, finest = 1e-13, coarsest = contact::CondensedSettings{}.tolerance;
  return largest > 0 ? std::clamp(share * target_ / largest, finest, coarsest) : coarsest;
}

template <class P>
void ProximalSteps<P>::load(In gradient) {
  Vector pull = copied(gradient);
  device::negate(pull);
  response_.set_load(pull);
}

// From the load: the forces of the condensed problem.
template <class P>
std::vector<double> ProximalSteps<P>::condensed(const Point& from, contact::CondensedSettings settings) {
  settings.method = method_;
  const ContactMetric& w = equations_.metric(from.at);
  std::vector<double> forces = from.forces, apart(3 * w.size());
  response_.relative(w, apart);
  device::add_scaled(apart, 1, equations_.violations(from));
  std::vector<contact::CondensedContact> law;
  law.reserve(w.size());
  for (std::size_t c = 0; c < w.size(); ++c) law.push_back(contacts_.cone(c, from.at[c]));
  contact::solve_condensed(w, law, apart, forces, settings);
  return forces;
}

template <class P>
void ProximalSteps<P>::move(In from, Out result) {
  response_.displacement(result);
  device::add_scaled(result, 1, from);
}

template class ProximalSteps<Potential>;
template class ProximalSteps<CudaPotential>;

}  // namespace proxima::solve
