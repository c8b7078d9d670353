// Energies that are a squared distance to a manifold, and the points of manifolds closest to a given one.
#pragma once

#include "proxima/dsl/shapes.hpp"

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

namespace detail {
template <class Array, class... Handles>
Array closest(const char* set, const Array& a, Where where, Handles... more) {
  unsigned operands[] = {more..., 0};  // never empty
  unsigned entries[Array::size], point[Array::size];
  for (int k = 0; k < Array::size; ++k) entries[k] = a.entry(k).handle();
  proxima_dsl_closest(set, entries, Array::size, operands, sizeof...(more), point, where.file, where.line);
  Array result;
  for (int k = 0; k < Array::size; ++k) result.entry(k) = Scalar::from_handle(point[k]);
  return result;
}
}  // namespace detail

// The closest rotation; of a 3x2 matrix the closest one with orthonormal columns.
inline Mat<3, 3> closest_rotation(const Mat<3, 3>& F, Where where = Where::here()) {
  return detail::closest("rotation", F, where);
}
inline Mat<3, 2> closest_rotation(const Mat<3, 2>& F, Where where = Where::here()) {
  return detail::closest("rotation", F, where);
}

// The closest matrix with all its stretches between the two, 0 <= lower < upper.
inline Mat<3, 3> closest_within_stretches(const Mat<3, 3>& F, const Operand& lower, const Operand& upper) {
  return detail::closest("within_stretches", F, upper.where, lower.handle, upper.handle);
}
inline Mat<3, 2> closest_within_stretches(const Mat<3, 2>& F, const Operand& lower, const Operand& upper) {
  return detail::closest("within_stretches", F, upper.where, lower.handle, upper.handle);
}

// The closest matrix of that determinant, greater than 0, with all its stretches positive.
inline Mat<3, 3> closest_with_determinant(const Mat<3, 3>& F, const Operand& determinant) {
  return detail::closest("with_determinant", F, determinant.where, determinant.handle);
}

// The closest vector of that length. Of the vector 0 it is one along the first axis.
template <int N>
Vec<N> closest_on_sphere(const Vec<N>& v, const Operand& radius) {
  return detail::closest("on_sphere", v, radius.where, radius.handle);
}

}  // namespace proxima::dsl
