#include "runtime/contact/friction_cone.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

using mesh::cross;
using mesh::dot;
using mesh::minus;
using mesh::norm;
using mesh::scaled;

// Of a direction's length: what is less in the plane of contact has no direction there.
constexpr double least_share = 1e-6;
constexpr int most_iterations = 60;  // Newton's for the nearest point of an ellipse; some five are usual

Vector3 combine(double p, const Vector3& a, double q, const Vector3& b) {
  return {p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]};
}

struct Planar {
  double x = 0, y = 0;
};

// The point nearest to (x, y), outside, of the ellipse with these half axes: (a^2 x / (a^2 + m), b^2 y / (b^2 + m))
// with the m > 0 that puts it there. What is to be 0 falls with m and is convex, so that Newton's method from 0 never
// goes too far.
Planar nearest_on_ellipse(double a, double b, const Planar& point) {
  const double unit = std::max(a, b), p = a / unit, q = b / unit, x = point.x / unit, y = point.y / unit;
  double m = 0;
  for (int k = 0; k < most_iterations; ++k) {
    const double u = p * x / (p * p + m), v = q * y / (q * q + m);
    const double excess = u * u + v * v - 1;
    const double next = m + excess / (2 * (u * u / (p * p + m) + v * v / (q * q + m)));
    if (!(next > m)) break;
    m = next;
  }
  return {.x = unit * p * p * x / (p * p + m), .y = unit * q * q * y / (q * q + m)};
}

}  // namespace

Vector3 along_of(const Vector3& direction, const Vector3& normal) {
  const Vector3 within = minus(direction, scaled(dot(direction, normal), normal));
  const double length = norm(within);
  return length > least_share * norm(direction) ? scaled(1 / length, within) : Vector3{};
}

void along_pull_back(const Vector3& direction, const Vector3& normal, const Vector3& bar, Vector3& by_direction,
                     Vector3& by_normal) {
  const double outwards = dot(direction, normal);
  const Vector3 within = minus(direction, scaled(outwards, normal)), along = along_of(direction, normal);
  if (along == Vector3{}) return;
  const Vector3 by_within = scaled(1 / norm(within), minus(bar, scaled(dot(bar, along), along)));
  mesh::add(by_direction, 1, by_within);
  mesh::add(by_direction, -dot(by_within, normal), normal);
  mesh::add(by_normal, -outwards, by_within);
  mesh::add(by_normal, -dot(by_within, normal), direction);
}

Vector3 stretched(const FrictionCone& cone, const Vector3& v, double a, double b) {
  const Vector3 other = cross(cone.normal, cone.along);
  return combine(a * dot(v, cone.along), cone.along, b * dot(v, other), other);
}

double beyond_edge(const FrictionCone& cone, const Vector3& t) {
  if (cone.bilateral) return -INFINITY;
  const double pressed = dot(t, cone.normal);
  const Vector3 tangential = minus(t, scaled(pressed, cone.normal));
  const double size =
      cone.elliptic() ? norm(stretched(cone, tangential, 1, cone.friction / cone.across)) : norm(tangential);
  return size - cone.friction * pressed;
}

Projected project(const FrictionCone& cone, const Vector3& t) {
  if (cone.bilateral) return {.force = t, .state = model::ContactState::stick};
  const double pressed = dot(t, cone.normal);
  if (!(pressed > 0)) return {};
  const Vector3 tangential = minus(t, scaled(pressed, cone.normal));
  const double most = cone.friction * pressed;
  if (most > 0 && beyond_edge(cone, t) <= 0) return {.force = t, .state = model::ContactState::stick};
  Projected cut{.state = model::ContactState::slip};
  if (!cone.elliptic()) {
    cut.force = combine(pressed, cone.normal, most == 0 ? 0 : most / norm(tangential), tangential);
    return cut;
  }
  const Vector3 other = cross(cone.normal, cone.along);
  const Planar at = nearest_on_ellipse(most, cone.across * pressed, {dot(t, cone.along), dot(t, other)});
  cut.force = combine(1, scaled(pressed, cone.normal), 1, combine(at.x, cone.along, at.y, other));
  return cut;
}

SlipDirection slip_direction(const FrictionCone& cone, const Vector3& t) {
  const double pressed = dot(t, cone.normal);
  const Vector3 tangential = minus(t, scaled(pressed, cone.normal));
  SlipDirection result;
  const double size = norm(tangential);
  if (size == 0 || cone.friction == 0) return result;
  if (!cone.elliptic()) {
    result.edge = scaled(cone.friction / size, tangential);
    result.tangent = cross(cone.normal, scaled(1 / size, tangential));
    result.turn = std::min(1.0, cone.friction * pressed / size);
    return result;
  }
  const Vector3 on_edge = minus(project(cone, t).force, scaled(pressed, cone.normal));
  result.edge = scaled(1 / pressed, on_edge);
  // The derivative of (mu cos, mu_across sin) by its angle.
  const Vector3 other = cross(cone.normal, cone.along);
  const Vector3 derivative = combine(-cone.friction / cone.across * dot(result.edge, other), cone.along,
                                     cone.across / cone.friction * dot(result.edge, cone.along), other);
  const double length = norm(derivative);
  result.tangent = scaled(1 / length, derivative);
  const double beyond = std::max(0.0, dot(minus(tangential, on_edge), result.edge));
  result.turn = 1 / (1 + beyond / (pressed * length * length));
  return result;
}

}  // namespace proxima::contact
