#include "runtime/contact/slip_force.hpp"

#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::add;
using mesh::cross;
using mesh::dot;
using mesh::minus;
using mesh::norm;
using mesh::scaled;

double square(double x) { return x * x; }

Vector3 tangential(const FrictionCone& cone, const Vector3& slip) {
  return minus(slip, scaled(dot(cone.normal, slip), cone.normal));
}

// Bars of the tangential part of the slip go to those of the slip and the normal.
void add_tangential(const FrictionCone& cone, const Vector3& slip, const Vector3& bar, SlipForceBars& bars) {
  const double along = dot(cone.normal, bar);
  add(bars.slip, 1, bar);
  add(bars.slip, -along, cone.normal);
  add(bars.normal, -dot(cone.normal, slip), bar);
  add(bars.normal, -along, slip);
}

// B s, and the relaxed square root of s . B s.
struct Squeezed {
  Vector3 slip{};
  double size = 0;
};
Squeezed squeezed(const FrictionCone& cone, const Vector3& tangential, double relaxed) {
  const double mu = square(cone.friction), across = square(cone.across), along = dot(cone.along, tangential);
  Squeezed result{.slip = scaled(across, tangential),
                  .size = std::sqrt(across * dot(tangential, tangential) + (mu - across) * square(along) +
                                    cone.friction * cone.across * square(relaxed))};
  add(result.slip, (mu - across) * along, cone.along);
  return result;
}

}  // namespace

Vector3 slip_edge(const FrictionCone& cone, const Vector3& slip, double relaxed) {
  const Vector3 s = tangential(cone, slip);
  if (!cone.elliptic()) return scaled(-cone.friction / std::hypot(norm(s), relaxed), s);
  const Squeezed b = squeezed(cone, s, relaxed);
  return scaled(-1 / b.size, b.slip);
}

SlipForce slip_force(const FrictionCone& cone, const Vector3& slip) {
  const Vector3 s = tangential(cone, slip);
  const double length = norm(s);
  SlipForce result{.edge = slip_edge(cone, slip),
                   .tangent = cross(cone.normal, scaled(1 / length, s)),
                   .stiffness = cone.friction / length};
  // B - w w^T has s in its kernel, so that its trace on the tangent plane is what it does to the tangent.
  if (cone.elliptic())
    result.stiffness =
        (square(cone.friction) + square(cone.across) - dot(result.edge, result.edge)) / squeezed(cone, s, 0).size;
  return result;
}

SlipForceBars slip_force_pull_back(const FrictionCone& cone, const Vector3& slip, const Vector3& bar, double relaxed) {
  const Vector3 s = tangential(cone, slip);
  SlipForceBars bars;
  if (!cone.elliptic()) {
    const double length = std::hypot(norm(s), relaxed);
    const Vector3 direction = scaled(1 / length, s);
    bars.cone.friction = -dot(bar, direction);
    bars.relaxed = cone.friction * dot(bar, direction) * relaxed / square(length);
    Vector3 by_s = scaled(-cone.friction / length, bar);
    add(by_s, cone.friction / length * dot(bar, direction), direction);
    add_tangential(cone, slip, by_s, bars);
    return bars;
  }
  const Squeezed b = squeezed(cone, s, relaxed);
  const double size = b.size, along = dot(cone.along, s);
  const double on_edge = -dot(bar, b.slip) / size, on_along = dot(bar, cone.along);
  const double across = square(cone.across), difference = square(cone.friction) - across;
  // By what B has across: mu_across^2 s_t.
  Vector3 by_s = scaled(-across / size, bar);
  add(by_s, -across * on_edge / square(size), s);
  // And along: (mu^2 - mu_across^2) a (a . s_t).
  const double by_along = -difference / size * (on_along + on_edge * along / size);
  add(by_s, by_along, cone.along);
  add(bars.cone.along, by_along, s);
  add(bars.cone.along, -difference * along / size, bar);
  add_tangential(cone, slip, by_s, bars);
  const double whole = dot(bar, s) + on_edge * dot(s, s) / (2 * size);
  const double share = along * (on_along + on_edge * along / (2 * size));
  // Either coefficient's part in what relaxes the root.
  const double relaxing = -on_edge * square(relaxed / size) / 2;
  bars.relaxed = -on_edge * cone.friction * cone.across * relaxed / square(size);
  bars.cone.friction = -2 * cone.friction / size * share + relaxing * cone.across;
  bars.cone.across = -2 * cone.across / size * (whole - share) + relaxing * cone.friction;
  return bars;
}

}  // namespace proxima::contact
