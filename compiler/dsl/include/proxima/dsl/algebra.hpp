// Functions of vectors and matrices. det and inverse are written out (2x2, 3x3): as polynomials and quotients they are
// differentiated exactly.
#pragma once

#include "proxima/dsl/matrix.hpp"

namespace proxima::dsl {

inline Vec<3> cross(const Vec<3>& a, const Vec<3>& b, Where where = Where::here()) {
  const detail::At at(where);
  const auto component = [&](int i, int j) {
    return detail::difference(detail::product(a.entry(i), b.entry(j)), detail::product(a.entry(j), b.entry(i)));
  };
  return vector(component(1, 2), component(2, 0), component(0, 1));
}

// a b^T
template <int R, int C>
Mat<R, C> outer(const Vec<R>& a, const Vec<C>& b, Where where = Where::here()) {
  const detail::At at(where);
  Mat<R, C> result;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) result.entry(i * C + j) = detail::product(a.entry(i), b.entry(j));
  return result;
}

template <int N>
Scalar trace(const Mat<N, N>& a, Where where = Where::here()) {
  const detail::At at(where);
  Scalar sum;
  for (int i = 0; i < N; ++i) sum = detail::sum(sum, a.entry(i * N + i));
  return sum;
}

// (A + A^T) / 2
template <int N>
Mat<N, N> symmetric_part(const Mat<N, N>& a, Where where = Where::here()) {
  const detail::At at(where);
  return 0.5 * (a + transpose(a));
}

// (A - A^T) / 2
template <int N>
Mat<N, N> skew_part(const Mat<N, N>& a, Where where = Where::here()) {
  const detail::At at(where);
  return 0.5 * (a - transpose(a));
}

// The derivative of det by the matrix: det(A) A^-T, defined for singular matrices too. 2x2 and 3x3.
inline Mat<2, 2> cofactor(const Mat<2, 2>& a, Where where = Where::here()) {
  const detail::At at(where);
  return rows(vector(a(1, 1), -a(1, 0)), vector(-a(0, 1), a(0, 0)));
}
inline Mat<3, 3> cofactor(const Mat<3, 3>& a, Where where = Where::here()) {
  const detail::At at(where);
  return rows(cross(a.row(1), a.row(2)), cross(a.row(2), a.row(0)), cross(a.row(0), a.row(1)));
}

inline Scalar det(const Mat<2, 2>& a, Where where = Where::here()) {
  const detail::At at(where);
  return detail::difference(detail::product(a(0, 0), a(1, 1)), detail::product(a(0, 1), a(1, 0)));
}
inline Scalar det(const Mat<3, 3>& a, Where where = Where::here()) {
  const detail::At at(where);
  return dot(a.row(0), cross(a.row(1), a.row(2)));
}

// 2x2 and 3x3; infinite or not a number where det is 0.
template <int N>
Mat<N, N> inverse(const Mat<N, N>& a, Where where = Where::here()) {
  const detail::At at(where);
  return (1 / det(a)) * transpose(cofactor(a));
}

// det(A)^p, for det(A) > 0; whole p are products, for every A with an inverse.
template <int N>
Scalar det_power(const Mat<N, N>& a, double p, Where where = Where::here()) {
  const detail::At at(where);
  return pow(det(a), p);
}

// Of a symmetric 3x3 matrix, such as C = F^T F: I1 = tr C, I2 = (tr(C)^2 - tr(C^2)) / 2, I3 = det C.
struct Invariants {
  Scalar I1, I2, I3;
};
inline Invariants invariants(const Mat<3, 3>& c, Where where = Where::here()) {
  const detail::At at(where);
  return {trace(c), trace(cofactor(c)), det(c)};
}

// v / |v|; not a number for v = 0.
template <int N>
Vec<N> normalized(const Vec<N>& v, Where where = Where::here()) {
  const detail::At at(where);
  return v / norm(v);
}

}  // namespace proxima::dsl
