// Small vectors and matrices of Scalars. Their sizes follow from how they are made; authors write `auto`.
#pragma once

#include "proxima/dsl/scalar.hpp"

namespace proxima::dsl {

// A row, column or component number, checked: a wrong one is reported with the author's line.
struct Index {
  Index(int i, Where at = Where::here()) : value(i), where(at) {}
  int within(int size) const {
    if (0 <= value && value < size) return value;
    proxima_dsl_mistake("an index is out of range; rows, columns and components count from 0", where.file, where.line);
    return 0;
  }
  int value;
  Where where;
};

namespace detail {
// A vector or matrix as an operand, with the line on which it is used.
template <class Array>
struct Located {
  Located(const Array& array, Where at = Where::here()) : value(array), where(at) {}
  const Array& value;
  Where where;
};

// Arithmetic of entries. The zeros of identity() and diagonal_matrix() are no operands: with them nothing is written.
inline bool is_zero(const Operand& x) { return proxima_dsl_is_zero(x.handle) != 0; }
inline Scalar sum(const Operand& a, const Operand& b) {
  return is_zero(a) ? b.scalar() : is_zero(b) ? a.scalar() : binary("add", a, b);
}
inline Scalar difference(const Operand& a, const Operand& b) {
  return is_zero(b) ? a.scalar() : is_zero(a) ? unary("neg", b) : binary("sub", a, b);
}
inline Scalar product(const Operand& a, const Operand& b) {
  return is_zero(a) ? a.scalar() : is_zero(b) ? b.scalar() : binary("mul", a, b);
}
inline Scalar quotient(const Operand& a, const Operand& b) { return is_zero(a) ? a.scalar() : binary("div", a, b); }

// What vectors and matrices have in common: entries, and arithmetic entry by entry. Array is the derived type.
template <class Array, int count>
class Entries {
 public:
  static constexpr int size = count;
  Scalar& entry(int k) { return entries_[k]; }
  const Scalar& entry(int k) const { return entries_[k]; }

  friend Array operator+(const Located<Array>& a, const Located<Array>& b) {
    return write(b.where, [&](int k) { return sum(a.value.entry(k), b.value.entry(k)); });
  }
  friend Array operator-(const Located<Array>& a, const Located<Array>& b) {
    return write(b.where, [&](int k) { return difference(a.value.entry(k), b.value.entry(k)); });
  }
  friend Array operator-(const Located<Array>& a) {
    return write(a.where, [&](int k) { return difference(0, a.value.entry(k)); });
  }
  friend Array operator*(const Operand& s, const Located<Array>& a) {
    s.as_factor();
    return write(a.where, [&](int k) { return product(s, a.value.entry(k)); });
  }
  friend Array operator*(const Located<Array>& a, const Operand& s) { return s * a; }
  friend Array operator/(const Located<Array>& a, const Operand& s) {
    return write(a.where, [&](int k) { return quotient(a.value.entry(k), s); });
  }
  Array& operator+=(const Located<Array>& b) { return self() = Located<Array>(self(), b.where) + b; }
  Array& operator-=(const Located<Array>& b) { return self() = Located<Array>(self(), b.where) - b; }
  Array& operator*=(const Operand& s) { return self() = s * Located<Array>(self(), s.where); }
  Array& operator/=(const Operand& s) { return self() = Located<Array>(self(), s.where) / s; }

  friend Array select(const Bool& condition, const Located<Array>& a, const Located<Array>& b) {
    return write(b.where, [&](int k) { return select(condition, a.value.entry(k), b.value.entry(k)); });
  }

  // Sum of products of entries: the scalar product of vectors, the double contraction A : B of matrices.
  friend Scalar dot(const Located<Array>& a, const Located<Array>& b) {
    const At at(b.where);
    Scalar result;
    for (int k = 0; k < count; ++k) result = sum(result, product(a.value.entry(k), b.value.entry(k)));
    return result;
  }
  friend Scalar squared_norm(const Located<Array>& a) { return dot(a, a); }
  // Frobenius norm of a matrix. Has no derivative at 0: prefer squared_norm where it will do.
  friend Scalar norm(const Located<Array>& a) { return sqrt(Operand(squared_norm(a), a.where)); }

 private:
  Entries() = default;
  friend Array;
  Array& self() { return static_cast<Array&>(*this); }
  template <class Function>
  static Array write(Where where, Function entry_number) {
    const At at(where);
    Array result;
    for (int k = 0; k < count; ++k) result.entry(k) = entry_number(k);
    return result;
  }
  Scalar entries_[count];
};
}  // namespace detail

template <int N>
class Vec : public detail::Entries<Vec<N>, N> {
 public:
  Vec() = default;
  template <class... Components>
    requires(sizeof...(Components) > 1)
  __attribute__((unavailable("a vector of given components is vector(x, y, z), or join(...) of more than three"))) Vec(
      const Components&...);
  Scalar& operator()(const Index& i) { return this->entry(i.within(N)); }
  const Scalar& operator()(const Index& i) const { return this->entry(i.within(N)); }
  Scalar& operator[](const Index& i) { return (*this)(i); }
  const Scalar& operator[](const Index& i) const { return (*this)(i); }
};

template <int R, int C>
class Mat : public detail::Entries<Mat<R, C>, R * C> {
 public:
  Mat() = default;
  template <class... Entries>
    requires(sizeof...(Entries) > 1)
  __attribute__((unavailable("a matrix of given entries is rows(vector(...), vector(...), vector(...))"))) Mat(
      const Entries&...);
  Scalar& operator()(const Index& i, const Index& j) { return this->entry(i.within(R) * C + j.within(C)); }
  const Scalar& operator()(const Index& i, const Index& j) const { return this->entry(i.within(R) * C + j.within(C)); }

  Vec<C> row(const Index& i) const {
    Vec<C> result;
    for (int j = 0; j < C; ++j) result.entry(j) = this->entry(i.within(R) * C + j);
    return result;
  }
  Vec<R> column(const Index& j) const {
    Vec<R> result;
    for (int i = 0; i < R; ++i) result.entry(i) = this->entry(i * C + j.within(C));
    return result;
  }

  template <int K>
  friend Mat<R, K> operator*(const detail::Located<Mat>& a, const Mat<C, K>& b) {
    const detail::At at(a.where);
    Mat<R, K> result;
    for (int i = 0; i < R; ++i)
      for (int k = 0; k < K; ++k) result.entry(i * K + k) = dot(a.value.row(i), b.column(k));
    return result;
  }
  friend Vec<R> operator*(const detail::Located<Mat>& a, const Vec<C>& v) {
    const detail::At at(a.where);
    Vec<R> result;
    for (int i = 0; i < R; ++i) result.entry(i) = dot(a.value.row(i), v);
    return result;
  }
};

inline Vec<2> vector(const Operand& x, const Operand& y) {
  Vec<2> v;
  v.entry(0) = x.scalar(), v.entry(1) = y.scalar();
  return v;
}
inline Vec<3> vector(const Operand& x, const Operand& y, const Operand& z) {
  Vec<3> v;
  v.entry(0) = x.scalar(), v.entry(1) = y.scalar(), v.entry(2) = z.scalar();
  return v;
}

template <int R, int C>
Mat<C, R> transpose(const Mat<R, C>& a) {
  Mat<C, R> result;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) result.entry(j * R + i) = a.entry(i * C + j);
  return result;
}

template <int C>
Mat<2, C> rows(const Vec<C>& a, const Vec<C>& b) {
  Mat<2, C> result;
  for (int j = 0; j < C; ++j) result.entry(j) = a.entry(j), result.entry(C + j) = b.entry(j);
  return result;
}
template <int C>
Mat<3, C> rows(const Vec<C>& a, const Vec<C>& b, const Vec<C>& c) {
  Mat<3, C> result;
  for (int j = 0; j < C; ++j)
    result.entry(j) = a.entry(j), result.entry(C + j) = b.entry(j), result.entry(2 * C + j) = c.entry(j);
  return result;
}
template <int R>
Mat<R, 2> columns(const Vec<R>& a, const Vec<R>& b) {
  return transpose(rows(a, b));
}
template <int R>
Mat<R, 3> columns(const Vec<R>& a, const Vec<R>& b, const Vec<R>& c) {
  return transpose(rows(a, b, c));
}

// The matrix with `v` on its diagonal and 0 elsewhere.
template <int N>
Mat<N, N> diagonal_matrix(const Vec<N>& v) {
  Mat<N, N> result;
  for (int i = 0; i < N; ++i) result.entry(i * N + i) = v.entry(i);
  return result;
}
template <int N>
Vec<N> diagonal(const Mat<N, N>& a) {
  Vec<N> result;
  for (int i = 0; i < N; ++i) result.entry(i) = a.entry(i * N + i);
  return result;
}
// 3x3, the size of a deformation gradient, unless asked otherwise.
template <int N = 3>
Mat<N, N> identity() {
  Vec<N> ones;
  for (int i = 0; i < N; ++i) ones.entry(i) = 1;
  return diagonal_matrix(ones);
}

}  // namespace proxima::dsl
