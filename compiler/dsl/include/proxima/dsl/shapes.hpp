// Operations on shapes that do not fit: each is declared, so that the compiler's message is a sentence about shapes
// instead of a list of candidates. None of these exists.
#pragma once

#include "proxima/dsl/spectral.hpp"

#define PROXIMA_DOES_NOT_FIT(message) __attribute__((unavailable(message)))

namespace proxima::dsl {

#define PROXIMA_SUM_DOES_NOT_FIT(sign)                                                                               \
  template <int R, int C, int P, int Q>                                                                              \
    requires(R != P || C != Q)                                                                                       \
  PROXIMA_DOES_NOT_FIT("matrices that are added or subtracted need the same numbers of rows and columns")            \
  Mat<R, C> operator sign(const Mat<R, C>&, const Mat<P, Q>&);                                                       \
  template <int N, int M>                                                                                            \
    requires(N != M)                                                                                                 \
  PROXIMA_DOES_NOT_FIT("vectors that are added or subtracted need the same number of components")                    \
  Vec<N> operator sign(const Vec<N>&, const Vec<M>&);                                                                \
  template <int R, int C, int N>                                                                                     \
  PROXIMA_DOES_NOT_FIT("a vector cannot be added to or subtracted from a matrix")                                    \
  Mat<R, C> operator sign(const Mat<R, C>&, const Vec<N>&);                                                          \
  template <int R, int C, int N>                                                                                     \
  PROXIMA_DOES_NOT_FIT("a matrix cannot be added to or subtracted from a vector")                                    \
  Mat<R, C> operator sign(const Vec<N>&, const Mat<R, C>&);                                                          \
  template <int R, int C>                                                                                            \
  PROXIMA_DOES_NOT_FIT("a number cannot be added to or subtracted from a matrix; write the number times identity()") \
  Mat<R, C> operator sign(const Mat<R, C>&, const Operand&);                                                         \
  template <int R, int C>                                                                                            \
  PROXIMA_DOES_NOT_FIT("a matrix cannot be added to or subtracted from a number; write the number times identity()") \
  Mat<R, C> operator sign(const Operand&, const Mat<R, C>&);                                                         \
  template <int N>                                                                                                   \
  PROXIMA_DOES_NOT_FIT("a number cannot be added to or subtracted from a vector")                                    \
  Vec<N> operator sign(const Vec<N>&, const Operand&);                                                               \
  template <int N>                                                                                                   \
  PROXIMA_DOES_NOT_FIT("a vector cannot be added to or subtracted from a number")                                    \
  Vec<N> operator sign(const Operand&, const Vec<N>&);

PROXIMA_SUM_DOES_NOT_FIT(+)
PROXIMA_SUM_DOES_NOT_FIT(-)
#undef PROXIMA_SUM_DOES_NOT_FIT

template <int R, int C, int P, int Q>
  requires(C != P)
PROXIMA_DOES_NOT_FIT("in a product of matrices the first needs as many columns as the second has rows")
Mat<R, Q> operator*(const Mat<R, C>&, const Mat<P, Q>&);
template <int R, int C, int N>
  requires(C != N)
PROXIMA_DOES_NOT_FIT(
    "in a product of a matrix and a vector the matrix needs as many columns as the vector has components")
Vec<R>
operator*(const Mat<R, C>&, const Vec<N>&);
template <int R, int C, int N>
PROXIMA_DOES_NOT_FIT("a vector is a column: write transpose(A) * v instead of v * A")
Vec<C> operator*(const Vec<N>&, const Mat<R, C>&);
template <int N, int M>
PROXIMA_DOES_NOT_FIT("of two vectors there are dot(a, b), cross(a, b) and outer(a, b)")
Scalar operator*(const Vec<N>&, const Vec<M>&);
template <int R, int C, int P, int Q>
PROXIMA_DOES_NOT_FIT("a matrix cannot divide a matrix: write A * inverse(B) or inverse(B) * A")
Mat<R, C> operator/(const Mat<R, C>&, const Mat<P, Q>&);
template <int R, int C>
PROXIMA_DOES_NOT_FIT("a number cannot be divided by a matrix: write the number times inverse(A)")
Mat<R, C> operator/(const Operand&, const Mat<R, C>&);

template <int R, int C, int P, int Q>
  requires(R != P || C != Q)
PROXIMA_DOES_NOT_FIT("dot(A, B) needs matrices with the same numbers of rows and columns")
Scalar dot(const Mat<R, C>&, const Mat<P, Q>&);
template <int N, int M>
  requires(N != M)
PROXIMA_DOES_NOT_FIT("dot(a, b) needs vectors with the same number of components")
Scalar dot(const Vec<N>&, const Vec<M>&);

namespace detail {
template <int N>
using Square = Mat<N, N>;
}

#define PROXIMA_NEEDS_SQUARE(Result, function)                                               \
  template <int R, int C>                                                                    \
    requires(R != C)                                                                         \
  PROXIMA_DOES_NOT_FIT("this is of square matrices; of a 3x2 matrix F, transpose(F) * F is") \
  Result function(const Mat<R, C>&);
PROXIMA_NEEDS_SQUARE(Scalar, trace)
PROXIMA_NEEDS_SQUARE(Scalar, det)
PROXIMA_NEEDS_SQUARE(detail::Square<C>, symmetric_part)
PROXIMA_NEEDS_SQUARE(detail::Square<C>, skew_part)
PROXIMA_NEEDS_SQUARE(detail::Square<C>, cofactor)
PROXIMA_NEEDS_SQUARE(detail::Square<C>, inverse)
#undef PROXIMA_NEEDS_SQUARE

#define PROXIMA_NEEDS_3X3(Result, function)                                          \
  template <int R, int C>                                                            \
    requires(R != 3 || C != 3)                                                       \
  PROXIMA_DOES_NOT_FIT(                                                              \
      "decompositions are of 3x3 matrices; of a 3x2 matrix F, transpose(F) * F has " \
      "the squares of the stretches as eigenvalues")                                 \
  Result                                                                             \
  function(const Mat<R, C>&);
PROXIMA_NEEDS_3X3(Vec<3>, singular_values)
PROXIMA_NEEDS_3X3(Svd, svd)
PROXIMA_NEEDS_3X3(detail::Square<3>, polar_rotation)
PROXIMA_NEEDS_3X3(Vec<3>, symmetric_eigenvalues)
PROXIMA_NEEDS_3X3(SymmetricEigen, symmetric_eigen)
#undef PROXIMA_NEEDS_3X3

}  // namespace proxima::dsl
