// Decompositions of 3x3 matrices by cyclic Jacobi rotations: slow, accurate to rounding in the number type, and
// independent of what kernels use. Matrices are row by row. Entries that are not finite give NaN everywhere.
#pragma once

namespace proxima::ir {

// parts: the singular values sigma (3), U (9), V (9), A = U diag(sigma) V^T with det U = det V = 1 and
// sigma_1 >= sigma_2 >= |sigma_3|; the last one has the sign of det A.
template <class Number>
void signed_svd(const Number* A, Number* parts);

// parts: the rotation nearest to A in the Frobenius norm, U V^T (9).
template <class Number>
void polar_rotation(const Number* A, Number* parts);

// a: the upper triangle a00 a01 a02 a11 a12 a22; parts: eigenvalues, decreasing (3), and eigenvectors, the columns of a
// rotation (9).
template <class Number>
void symmetric_eigen(const Number* a, Number* parts);

// x: the 21 parts of a singular value decomposition, s (3), and what only the derivative needs; parts: U diag(s) V^T.
template <class Number>
void svd_compose(const Number* x, Number* parts);

// x: the 12 parts of an eigendecomposition, l (3), and what only the derivative needs; parts: the upper triangle of
// Q diag(l) Q^T.
template <class Number>
void eigen_compose(const Number* x, Number* parts);

}  // namespace proxima::ir
