// 3 x 3 matrices, row by row, as loops of the host and kernels need them alike: included by C++, and put before the
// kernels that use it (deflation_text of kernels.hpp), which say PROXIMA_INLINE first.
#ifndef PROXIMA_INLINE
#pragma once
#include <cmath>
#define PROXIMA_INLINE [[gnu::always_inline]] inline
#endif

namespace proxima::kernels {

// b <- m a, b <- m^T a; a and b may be the same.
PROXIMA_INLINE void multiply(const double* m, const double* a, double* b) {
  const double x = a[0], y = a[1], z = a[2];
  b[0] = m[0] * x + m[1] * y + m[2] * z;
  b[1] = m[3] * x + m[4] * y + m[5] * z;
  b[2] = m[6] * x + m[7] * y + m[8] * z;
}
PROXIMA_INLINE void multiply_transposed(const double* m, const double* a, double* b) {
  const double x = a[0], y = a[1], z = a[2];
  b[0] = m[0] * x + m[3] * y + m[6] * z;
  b[1] = m[1] * x + m[4] * y + m[7] * z;
  b[2] = m[2] * x + m[5] * y + m[8] * z;
}

// To a neighbour of a node: `weight` is the edge at rest times how much it counts.
struct WeighedEdge {
  int node;
  float weight[3];
};

// s += (other - own) weight^T. The rotation nearest to the sum over its edges is that of the node's neighbourhood
// (Kabsch 1976).
PROXIMA_INLINE void add_edge(double* s, const double* own, const double* other, const float* weight) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) s[3 * a + b] += (other[a] - own[a]) * static_cast<double>(weight[b]);
}

// s / |s| and the cofactors of that, which have the same singular vectors: the nearest rotation stays what it is, and
// what was flat has a normal that turns along. The identity of what has no norm: of zero, and of what is not finite.
PROXIMA_INLINE void add_cofactors(double* s) {
  double squared = 0;
  for (int k = 0; k < 9; ++k) squared += s[k] * s[k];
  const bool has_norm = squared > 0 && squared < 1e300;
  const double scale = has_norm ? 1 / sqrt(squared) : 0;
  for (int k = 0; k < 9; ++k) s[k] = has_norm ? scale * s[k] : k % 4 == 0 ? 1 : 0;
  const double a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7], i = s[8];
  s[0] += e * i - f * h;
  s[1] += f * g - d * i;
  s[2] += d * h - e * g;
  s[3] += c * h - b * i;
  s[4] += a * i - c * g;
  s[5] += b * g - a * h;
  s[6] += b * f - c * e;
  s[7] += c * d - a * f;
  s[8] += a * e - b * d;
}

constexpr int polar_steps = 9;  // enough for singular values that differ by a thousand

// Whether so many polar steps from s, as add_cofactors leaves it, end at the rotation nearest to it. Else it is nearly
// a line, or inside out by more than a little.
PROXIMA_INLINE bool is_regular(const double* s) {
  return s[0] * (s[4] * s[8] - s[5] * s[7]) + s[1] * (s[5] * s[6] - s[3] * s[8]) + s[2] * (s[3] * s[7] - s[4] * s[6]) >
         1e-6;
}

// x <- (x scale + cof(x) / (det(x) scale)) / 2: Newton's iteration for the polar factor of a matrix of norm about one,
// scaled by norms (Higham, Functions of Matrices, section 8.3). Where x is singular it ends as it likes.
PROXIMA_INLINE void polar_step(double* x) {
  const double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7], i = x[8];
  const double ca = e * i - f * h, cb = f * g - d * i, cc = d * h - e * g, cd = c * h - b * i, ce = a * i - c * g,
               cf = b * g - a * h, cg = b * f - c * e, ch = c * d - a * f, ci = a * e - b * d;
  const double determinant = a * ca + b * cb + c * cc;
  const double squared = a * a + b * b + c * c + d * d + e * e + f * f + g * g + h * h + i * i;
  const double squared_cofactor =
      ca * ca + cb * cb + cc * cc + cd * cd + ce * ce + cf * cf + cg * cg + ch * ch + ci * ci;
  const double scale = sqrt(sqrt(squared_cofactor / (squared * determinant * determinant)));
  const double own = scale / 2, inverse = 1 / (2 * scale * determinant);
  x[0] = own * a + inverse * ca;
  x[1] = own * b + inverse * cb;
  x[2] = own * c + inverse * cc;
  x[3] = own * d + inverse * cd;
  x[4] = own * e + inverse * ce;
  x[5] = own * f + inverse * cf;
  x[6] = own * g + inverse * cg;
  x[7] = own * h + inverse * ch;
  x[8] = own * i + inverse * ci;
}

// Turns rows and columns P and Q of the symmetric matrix so that its entry there is zero, and the columns of `vectors`
// along (Jacobi; Golub and Van Loan, Matrix Computations, section 8.5).
template <int P, int Q>
PROXIMA_INLINE void jacobi_rotation(double (&matrix)[4][4], double (&vectors)[4][4]) {
  const double apart = matrix[Q][Q] - matrix[P][P], entry = matrix[P][Q];
  const double half = apart / (2 * entry);
  const double tangent = entry == 0 ? 0 : (half < 0 ? -1 : 1) / (fabs(half) + sqrt(half * half + 1));
  const double cosine = 1 / sqrt(tangent * tangent + 1), sine = tangent * cosine;
  for (int k = 0; k < 4; ++k) {
    const double p = matrix[k][P], q = matrix[k][Q];
    matrix[k][P] = cosine * p - sine * q;
    matrix[k][Q] = sine * p + cosine * q;
  }
  for (int k = 0; k < 4; ++k) {
    const double p = matrix[P][k], q = matrix[Q][k];
    matrix[P][k] = cosine * p - sine * q;
    matrix[Q][k] = sine * p + cosine * q;
  }
  for (int k = 0; k < 4; ++k) {
    const double p = vectors[k][P], q = vectors[k][Q];
    vectors[k][P] = cosine * p - sine * q;
    vectors[k][Q] = sine * p + cosine * q;
  }
}

// s <- the rotation nearest to it, be it regular or not: its quaternion is the last eigenvector of a
// symmetric matrix (Horn 1987, Closed-form solution of absolute orientation). Some rotation that agrees with s where
// its rank is less than two.
PROXIMA_INLINE void rotation_by_quaternion(double* s) {
  constexpr int sweeps = 7;  // quadratic at the end: five do
  double n[4][4] = {{s[0] + s[4] + s[8], s[7] - s[5], s[2] - s[6], s[3] - s[1]},
                    {s[7] - s[5], s[0] - s[4] - s[8], s[3] + s[1], s[2] + s[6]},
                    {s[2] - s[6], s[3] + s[1], s[4] - s[0] - s[8], s[7] + s[5]},
                    {s[3] - s[1], s[2] + s[6], s[7] + s[5], s[8] - s[0] - s[4]}};
  double v[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    jacobi_rotation<0, 1>(n, v);
    jacobi_rotation<0, 2>(n, v);
    jacobi_rotation<0, 3>(n, v);
    jacobi_rotation<1, 2>(n, v);
    jacobi_rotation<1, 3>(n, v);
    jacobi_rotation<2, 3>(n, v);
  }
  double largest = n[0][0], w = v[0][0], x = v[1][0], y = v[2][0], z = v[3][0];
  for (int k = 1; k < 4; ++k) {
    const bool larger = n[k][k] > largest;
    largest = larger ? n[k][k] : largest;
    w = larger ? v[0][k] : w;
    x = larger ? v[1][k] : x;
    y = larger ? v[2][k] : y;
    z = larger ? v[3][k] : z;
  }
  s[0] = 1 - 2 * (y * y + z * z);
  s[1] = 2 * (x * y - w * z);
  s[2] = 2 * (x * z + w * y);
  s[3] = 2 * (x * y + w * z);
  s[4] = 1 - 2 * (x * x + z * z);
  s[5] = 2 * (y * z - w * x);
  s[6] = 2 * (x * z - w * y);
  s[7] = 2 * (y * z + w * x);
  s[8] = 1 - 2 * (x * x + y * y);
}

}  // namespace proxima::kernels
