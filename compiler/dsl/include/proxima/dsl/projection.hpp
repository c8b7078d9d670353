// Energies that are a squared distance to a manifold, and the points of manifolds closest to a given one.
#pragma once

#include "proxima/dsl/spectral.hpp"

namespace proxima::dsl {

namespace detail {
template <class Array>
Scalar project(const Operand& weight, const Array& strain, const Array& closest, Where where) {
  unsigned strains[Array::size], points[Array::size];
  for (int k = 0; k < Array::size; ++k) strains[k] = strain.entry(k).handle(), points[k] = closest.entry(k).handle();
  return Scalar::from_handle(
      proxima_dsl_projection(weight.handle, strains, points, Array::size, where.file, where.line));
}
}  // namespace detail

// weight / 2 times the squared distance of the strain measure to `closest`, the point of a manifold that is nearest to
// it; the point's own derivative does not enter the force, since the distance is smallest there. The rule for the point
// is tried out when the energy is defined: of a point of the manifold it must give that point, and none may be nearer.
template <int R, int C>
Scalar projection(const Operand& weight, const Mat<R, C>& strain, const Mat<R, C>& closest,
                  Where where = Where::here()) {
  return detail::project(weight, strain, closest, where);
}
template <int N>
Scalar projection(const Operand& weight, const Vec<N>& strain, const Vec<N>& closest, Where where = Where::here()) {
  return detail::project(weight, strain, closest, where);
}

// The rotation closest to F.
inline Mat<3, 3> closest_rotation(const Mat<3, 3>& F, Where where = Where::here()) { return polar_rotation(F, where); }

// The vector of length `radius` closest to v; not a number for v = 0.
template <int N>
Vec<N> closest_on_sphere(const Vec<N>& v, const Operand& radius, Where where = Where::here()) {
  const detail::At at(where);
  return (radius.scalar() / norm(v)) * v;
}

}  // namespace proxima::dsl
