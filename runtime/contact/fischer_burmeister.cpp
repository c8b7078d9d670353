#include "runtime/contact/fischer_burmeister.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using mesh::minus;
using mesh::scaled;

constexpr int remembered = 6;       // merits that a new one may not exceed
constexpr int halvings = 6;         // of a step; the shortest is taken where no longer one is good enough
constexpr double sharpest = 1e-14;  // smoothing, of the largest displacement there was at first
// Of a contact's own compliance: contacts that say the same twice have a singular system.
constexpr double regularisation = 1e-10;

// phi(a, b) with its corner rounded.
struct Complementarity {
  double value, by_a, by_b;
};
Complementarity phi(double a, double b, double smoothing) {
  const double root = std::hypot(a, b, smoothing);
  return {.value = a + b - root, .by_a = 1 - a / root, .by_b = 1 - b / root};
}

void add_outer(Block& block, const Vector3& a, const Vector3& b, double scale) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) block[3 * i + j] += scale * a[i] * b[j];
}

// The identity between tangents, or these multiples along and across the axis of an elliptic cone.
void add_tangents(Block& block, const FrictionCone& cone, double along, double across) {
  for (std::size_t i = 0; i < 3; ++i) block[4 * i] += across;
  add_outer(block, cone.normal, cone.normal, -across);
  if (cone.elliptic()) add_outer(block, cone.along, cone.along, along - across);
}

Vector3 combine(double p, const Vector3& a, double q, const Vector3& b) {
  return {p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]};
}

// The equations of all contacts at the point.
class Equations {
 public:
  Equations(const CondensedPoint& point, double smoothing) {
    blocks.reserve(point.size());
    values.reserve(3 * point.size());
    for (std::size_t c = 0; c < point.size(); ++c) {
      const SmoothedContact one =
          smoothed(point.contact(c), point.diagonal(c), point.displacement(c), point.force(c), smoothing);
      blocks.push_back(one.change);
      for (std::size_t k = 0; k < 9; k += 4) blocks.back().by_force[k] += regularisation * point.diagonal(c);
      for (const double value : one.value) {
        values.push_back(-value);
        merit += value * value;
      }
    }
  }
  std::vector<Linearised> blocks;
  std::vector<double> values;  // negated: the right-hand side of Newton's method
  double merit = 0;
};

}  // namespace

SmoothedContact smoothed(const CondensedContact& contact, double r, const Vector3& s, const Vector3& f,
                         double smoothing) {
  const Vector3& n = contact.normal;
  const double mu = contact.friction, sn = dot(s, n), pressed = r * dot(f, n);
  const Vector3 st = minus(s, scaled(sn, n)), gt = minus(scaled(r, f), scaled(pressed, n));
  SmoothedContact out;
  if (contact.bilateral) {
    out.value = s;
    for (std::size_t k = 0; k < 9; k += 4) out.change.by_displacement[k] = 1;
    return out;
  }
  Block& by_s = out.change.by_displacement;
  Block& by_f = out.change.by_force;
  const Complementarity normal = phi(sn, pressed, smoothing);
  out.value = scaled(normal.value, n);
  add_outer(by_s, n, n, normal.by_a);
  add_outer(by_f, n, n, normal.by_b * r);
  // Without friction there is no tangential force; with infinite friction no slip while pressed.
  if (mu == 0 || std::isinf(mu)) {
    const bool stick = mu > 0 && pressed > sn;
    out.value = combine(1, out.value, 1, stick ? st : gt);
    add_tangents(stick ? by_s : by_f, contact, stick ? 1 : r, stick ? 1 : r);
    return out;
  }

  // Of an elliptic cone the forces are squeezed and the slips stretched until it is a round one of the mean
  // coefficient.
  const bool elliptic = contact.elliptic();
  const double mean = elliptic ? std::sqrt(mu * contact.across) : mu, p = elliptic ? mu / mean : 1, q = 1 / p;
  const auto stretch = [&](const Vector3& v) { return elliptic ? stretched(contact, v, p, q) : v; };
  const auto squeeze = [&](const Vector3& v) { return elliptic ? stretched(contact, v, q, p) : v; };
  const Vector3 slip = stretch(st), force = squeeze(gt);
  const double a = std::hypot(mesh::norm(slip), smoothing), b = std::hypot(mesh::norm(force), smoothing);
  const Complementarity w = phi(a, mean * pressed - b, smoothing);
  const double whole = a + b, slack = a - w.value;
  // Negative only for forces far outside the cone, where the equation is to draw them in.
  const bool inside = b + w.value > 0;
  const double hold = inside ? b + w.value : 0;
  const Vector3 tangential = combine(hold / whole, slip, slack / whole, force);
  out.value = combine(1, out.value, 1, tangential);

  const Vector3 a_by_s = scaled(1 / a, stretch(slip)), b_by_f = scaled(r / b, squeeze(force));
  const Vector3 w_by_s = scaled(w.by_a, a_by_s), w_by_f = combine(w.by_b * mean * r, n, -w.by_b, b_by_f);
  add_tangents(by_s, contact, hold / whole * p, hold / whole * q);
  add_tangents(by_f, contact, slack * r / whole * q, slack * r / whole * p);
  if (inside) {
    add_outer(by_s, slip, w_by_s, 1 / whole);
    add_outer(by_f, slip, combine(1, b_by_f, 1, w_by_f), 1 / whole);
  }
  add_outer(by_s, force, minus(a_by_s, w_by_s), 1 / whole);
  add_outer(by_f, force, w_by_f, -1 / whole);
  add_outer(by_s, tangential, a_by_s, -1 / whole);
  add_outer(by_f, tangential, b_by_f, -1 / whole);
  return out;
}

void run_fischer_burmeister(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome) {
  const std::size_t n = point.size();
  if (n == 0) return;
  std::vector<double> room;
  const std::span<const double> D = point.matrix().values(room);
  std::vector<double> merits, next(3 * n);
  std::vector<double> best(point.forces().begin(), point.forces().end());
  double lowest = point.residual(), first = 0, least = 0;
  for (std::size_t c = 0; c < n; ++c) least = std::max(least, sharpest * mesh::norm(point.displacement(c)));
  while (lowest > settings.tolerance && outcome.newton_steps < settings.max_sweeps) {
    // Smoothing falls with the square of the equations, so that it does not slow Newton's method down.
    const double size = std::sqrt(Equations(point, least).merit / static_cast<double>(n));
    if (first == 0) first = size;
    const double smoothing = std::max(least, 0.1 * size * std::min(1.0, size / first));
    const Equations here(point, smoothing);
    merits.push_back(here.merit);
    const std::vector<double> step = solve_blocks(D, here.blocks, here.values);
    if (step.empty()) break;
    const auto begin = merits.size() > remembered ? merits.end() - remembered : merits.begin();
    const double most = *std::max_element(begin, merits.end());
    const std::vector<double> from(point.forces().begin(), point.forces().end());
    double length = 1;
    for (int halving = 0; halving <= halvings; ++halving, length /= 2) {
      for (std::size_t i = 0; i < 3 * n; ++i) next[i] = from[i] + length * step[i];
      point.set_forces(next);
      if (Equations(point, smoothing).merit < (1 - 1e-4 * length) * most) break;
    }
    ++outcome.newton_steps;
    const double residual = point.residual();
    if (residual < lowest) {
      lowest = residual;
      best.assign(point.forces().begin(), point.forces().end());
    }
  }
  point.set_forces(best);
}

}  // namespace proxima::contact
