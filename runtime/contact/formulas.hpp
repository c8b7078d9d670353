// What the numbers of a contact are as functions of the points that take part in it, written once for numbers and for
// the language in which they are differentiated (pair_functions.cpp). Internal to the room.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace proxima::contact {

template <class S>
using Point = std::array<S, 3>;

// Gap and normal point from the last points to the first; weights are one a point, in their order.
template <class S, std::size_t N>
struct Terms {
  S gap;
  Point<S> normal;
  std::array<S, N> weights;
};

namespace formula {

template <class S>
Point<S> minus(const Point<S>& a, const Point<S>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class S>
S dot(const Point<S>& a, const Point<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class S>
Point<S> cross(const Point<S>& a, const Point<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class S>
S length(const Point<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class S>
Point<S> over(const Point<S>& a, const S& divisor) {
  return {a[0] / divisor, a[1] / divisor, a[2] / divisor};
}

// From a point a to a point p.
template <class S>
Terms<S, 2> point(const Point<S>& p, const Point<S>& a) {
  const auto d = minus(p, a);
  const S gap = length(d);
  return {gap, over(d, gap), {S(1.0), S(-1.0)}};
}

// From the line through a and b to a point p.
template <class S>
Terms<S, 3> line(const Point<S>& p, const Point<S>& a, const Point<S>& b) {
  const auto u = minus(b, a), d = minus(p, a);
  const S t = dot(u, d) / dot(u, u);
  const Point<S> e{d[0] - t * u[0], d[1] - t * u[1], d[2] - t * u[2]};
  const S gap = length(e);
  return {gap, over(e, gap), {S(1.0), t - 1.0, -t}};
}

// From the plane through a, b and c, on the side from which they turn positively, to a point p.
template <class S>
Terms<S, 4> plane(const Point<S>& p, const Point<S>& a, const Point<S>& b, const Point<S>& c) {
  const auto u = minus(b, a), v = minus(c, a), d = minus(p, a);
  const auto m = cross(u, v);
  const S area = length(m);
  const auto n = over(m, area);
  const S of_b = dot(cross(d, v), n) / area, of_c = dot(cross(u, d), n) / area;
  return {dot(n, d), n, {S(1.0), of_b + of_c - 1.0, -of_b, -of_c}};
}

// From the line through c and d to the line through a and b, along (b - a) x (d - c).
template <class S>
Terms<S, 4> lines(const Point<S>& a, const Point<S>& b, const Point<S>& c, const Point<S>& d) {
  const auto u = minus(b, a), v = minus(d, c), w = minus(c, a);
  const auto m = cross(u, v);
  const S area = length(m);
  const auto n = over(m, area);
  const S s = dot(cross(w, v), n) / area, t = dot(cross(w, u), n) / area;
  return {-dot(n, w), n, {1.0 - s, s, t - 1.0, -t}};
}

}  // namespace formula
}  // namespace proxima::contact
