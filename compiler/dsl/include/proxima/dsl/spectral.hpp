// Decompositions of 3x3 matrices: singular values, the polar rotation, eigenvalues. Singular values, eigenvalues and
// the rotation may be used in energies; U, V and eigenvectors have no derivative (where two values are equal they are
// some of many) and are for update rules. compose puts values back together.
#pragma once

#include "proxima/dsl/inputs.hpp"

namespace proxima::dsl {

namespace detail {
inline Scalar part(unsigned bundle, int k, Where where) {
  return Scalar::from_handle(proxima_dsl_part(bundle, static_cast<unsigned>(k), where.file, where.line));
}
template <class Array>
Array parts(unsigned bundle, int first, Where where) {
  Array result;
  for (int k = 0; k < Array::size; ++k) result.entry(k) = part(bundle, first + k, where);
  return result;
}
inline unsigned decompose(const char* op, const Mat<3, 3>& a, Where where) {
  unsigned entries[9];
  for (int k = 0; k < 9; ++k) entries[k] = a.entry(k).handle();
  return proxima_dsl_apply(op, entries, 9, where.file, where.line);
}
}  // namespace detail

// A = U diag(sigma) V^T, where U and V are rotations and sigma_1 >= sigma_2 >= |sigma_3|; the last one has the sign of
// det A.
struct Svd {
  Mat<3, 3> U;
  Vec<3> sigma;
  Mat<3, 3> V;
  unsigned bundle;
};
inline Svd svd(const Mat<3, 3>& a, Where where = Where::here()) {
  const unsigned bundle = detail::decompose("svd", a, where);
  return {detail::parts<Mat<3, 3>>(bundle, 3, where), detail::parts<Vec<3>>(bundle, 0, where),
          detail::parts<Mat<3, 3>>(bundle, 12, where), bundle};
}
inline Vec<3> singular_values(const Mat<3, 3>& a, Where where = Where::here()) {
  return detail::parts<Vec<3>>(detail::decompose("svd", a, where), 0, where);
}

// The rotation nearest to A.
inline Mat<3, 3> polar_rotation(const Mat<3, 3>& a, Where where = Where::here()) {
  return detail::parts<Mat<3, 3>>(detail::decompose("polar", a, where), 0, where);
}

// Of the symmetric part of S: S = vectors diag(values) vectors^T, the values decreasing, the vectors columns.
struct SymmetricEigen {
  Vec<3> values;
  Mat<3, 3> vectors;
  unsigned bundle;
};
inline SymmetricEigen symmetric_eigen(const Mat<3, 3>& s, Where where = Where::here()) {
  const detail::At at(where);
  const auto entry = [&](int i, int j) {
    const Scalar &upper = s.entry(3 * i + j), &lower = s.entry(3 * j + i);
    return upper.handle() == lower.handle() ? upper.handle() : (0.5 * (upper + lower)).handle();
  };
  const unsigned entries[] = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  const unsigned bundle = proxima_dsl_apply("eigen", entries, 6, where.file, where.line);
  return {detail::parts<Vec<3>>(bundle, 0, where), detail::parts<Mat<3, 3>>(bundle, 3, where), bundle};
}
inline Vec<3> symmetric_eigenvalues(const Mat<3, 3>& s, Where where = Where::here()) {
  return symmetric_eigen(s, where).values;
}

// U diag(s) V^T and Q diag(l) Q^T, where s and l are functions of the singular values or eigenvalues. Functions
// that change places when those do have an exact derivative where two are equal.
inline Mat<3, 3> compose(const Svd& svd, const Vec<3>& s, Where where = Where::here()) {
  const detail::At at(where);
  const Vec<3>& x = svd.sigma;
  const auto difference = [&](int i, int j) { return ((s[i] - s[j]) / (x[i] - x[j])).handle(); };
  const auto sum = [&](int i, int j) { return ((s[i] + s[j]) / (x[i] + x[j])).handle(); };
  const unsigned operands[] = {svd.bundle,       s[0].handle(),    s[1].handle(), s[2].handle(), difference(0, 1),
                               difference(0, 2), difference(1, 2), sum(0, 1),     sum(0, 2),     sum(1, 2)};
  return detail::parts<Mat<3, 3>>(proxima_dsl_apply("svd_compose", operands, 10, where.file, where.line), 0, where);
}
inline Mat<3, 3> compose(const SymmetricEigen& eigen, const Vec<3>& l, Where where = Where::here()) {
  const detail::At at(where);
  const Vec<3>& x = eigen.values;
  const auto difference = [&](int i, int j) { return ((l[i] - l[j]) / (x[i] - x[j])).handle(); };
  const unsigned operands[] = {eigen.bundle,     l[0].handle(),    l[1].handle(),   l[2].handle(),
                               difference(0, 1), difference(0, 2), difference(1, 2)};
  const auto a =
      detail::parts<Vec<6>>(proxima_dsl_apply("eigen_compose", operands, 7, where.file, where.line), 0, where);
  return rows(vector(a[0], a[1], a[2]), vector(a[1], a[3], a[4]), vector(a[2], a[4], a[5]));
}

}  // namespace proxima::dsl
