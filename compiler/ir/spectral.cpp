#include "compiler/ir/spectral.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace proxima::ir {
namespace {

template <class Number>
using Vector = std::array<Number, 3>;
// The columns of a 3x3 matrix.
template <class Number>
using Columns = std::array<Vector<Number>, 3>;

constexpr int max_sweeps = 64;  // convergence is quadratic; a handful is usual
constexpr int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};

template <class Number>
Number dot(const Vector<Number>& a, const Vector<Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class Number>
Vector<Number> cross(const Vector<Number>& a, const Vector<Number>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class Number>
Vector<Number> scaled(const Vector<Number>& a, Number factor) {
  return {a[0] * factor, a[1] * factor, a[2] * factor};
}

template <class Number>
void rotate(Vector<Number>& a, Vector<Number>& b, Number c, Number s) {
  for (int i = 0; i < 3; ++i) {
    const Number old = a[i];
    a[i] = c * old - s * b[i];
    b[i] = s * old + c * b[i];
  }
}

// The rotation that makes two columns orthogonal, or the off-diagonal entry of a symmetric 2x2 matrix vanish: the
// smaller root of t^2 + 2 zeta t - 1 = 0 (Golub and Van Loan, "Matrix Computations", section 8.5).
template <class Number>
std::array<Number, 2> cosine_and_sine(Number zeta) {
  const Number t = std::copysign(1 / (std::fabs(zeta) + std::sqrt(1 + zeta * zeta)), zeta);
  const Number c = 1 / std::sqrt(1 + t * t);
  return {c, t * c};
}

template <class Number>
Columns<Number> identity_columns() {
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

// A unit vector orthogonal to the unit vector a.
template <class Number>
Vector<Number> orthogonal(const Vector<Number>& a) {
  const auto smallest = static_cast<std::size_t>(
      std::min_element(a.begin(), a.end(), [](Number x, Number y) { return std::fabs(x) < std::fabs(y); }) - a.begin());
  const auto result = cross(a, identity_columns<Number>()[smallest]);
  return scaled(result, 1 / std::sqrt(dot(result, result)));
}

template <class Number>
Number largest(const Number* x, int count) {
  Number most = 0;
  for (int k = 0; k < count; ++k) {
    if (!std::isfinite(x[k])) return std::numeric_limits<Number>::quiet_NaN();
    most = std::max(most, std::fabs(x[k]));
  }
  return most;
}

// A power of two near x, so that scaling is exact.
template <class Number>
Number power_of_two(Number x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(Number(1), exponent);
}

}  // namespace

template <class Number>
void signed_svd(const Number* A, Number* parts) {
  Number* const sigma = parts;
  Number* const U = parts + 3;
  Number* const V = parts + 12;
  const Number size = largest(A, 9);
  if (std::isnan(size)) {
    std::fill_n(parts, 21, size);
    return;
  }
  const Number scale = size > 0 ? power_of_two(size) : Number(1);
  Columns<Number> w, v = identity_columns<Number>(), u = identity_columns<Number>();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w[j][i] = A[3 * i + j] / scale;

  // One-sided Jacobi: right rotations until the columns of A V are orthogonal.
  bool turned = true;
  for (int sweep = 0; turned && sweep < max_sweeps; ++sweep) {
    turned = false;
    for (const auto& [p, q] : pairs) {
      const Number pp = dot(w[p], w[p]), qq = dot(w[q], w[q]), pq = dot(w[p], w[q]);
      if (std::fabs(pq) <= std::numeric_limits<Number>::epsilon() / 2 * std::sqrt(pp) * std::sqrt(qq)) continue;
      const auto [c, s] = cosine_and_sine((qq - pp) / (2 * pq));
      rotate(w[p], w[q], c, s);
      rotate(v[p], v[q], c, s);
      turned = true;
    }
  }
  for (const auto& [p, q] : pairs) {
    if (dot(w[p], w[p]) >= dot(w[q], w[q])) continue;
    // Exchanged with one sign changed: V stays a rotation.
    std::swap(w[p], w[q]);
    std::swap(v[p], v[q]);
    w[q] = scaled(w[q], Number(-1));
    v[q] = scaled(v[q], Number(-1));
  }

  const auto length = [](const Vector<Number>& a) { return std::sqrt(dot(a, a)); };
  const Number tiny = std::numeric_limits<Number>::min() / std::numeric_limits<Number>::epsilon();
  sigma[0] = length(w[0]);
  sigma[1] = length(w[1]);
  if (sigma[0] > 0) {
    u[0] = scaled(w[0], 1 / sigma[0]);
    u[1] = sigma[1] > tiny ? scaled(w[1], 1 / sigma[1]) : orthogonal(u[0]);
    u[2] = cross(u[0], u[1]);
  }
  sigma[2] = dot(u[2], w[2]);
  for (int k = 0; k < 3; ++k) {
    sigma[k] *= scale;
    for (int i = 0; i < 3; ++i) {
      U[3 * i + k] = u[k][i];
      V[3 * i + k] = v[k][i];
    }
  }
}

template <class Number>
void polar_rotation(const Number* A, Number* parts) {
  Number svd[21 + 3] = {};
  signed_svd(A, svd);
  svd[21] = svd[22] = svd[23] = 1;
  svd_compose(svd, parts);
}

template <class Number>
void symmetric_eigen(const Number* a, Number* parts) {
  const Number size = largest(a, 6);
  if (std::isnan(size)) {
    std::fill_n(parts, 12, size);
    return;
  }
  const Number scale = size > 0 ? power_of_two(size) : Number(1);
  Number s[3][3];
  constexpr int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s[i][j] = a[place[i][j]] / scale;
  Columns<Number> q = identity_columns<Number>();

  bool turned = true;
  for (int sweep = 0; turned && sweep < max_sweeps; ++sweep) {
    turned = false;
    for (const auto& [i, j] : pairs) {
      const Number next_to = std::fabs(s[i][i]) + std::fabs(s[j][j]);
      if (s[i][j] == 0) continue;
      if (std::fabs(s[i][j]) <= std::numeric_limits<Number>::epsilon() / 8 * next_to) {
        s[i][j] = s[j][i] = 0;
        continue;
      }
      const auto [c, sn] = cosine_and_sine((s[j][j] - s[i][i]) / (2 * s[i][j]));
      const Number t = sn / c, off = s[i][j];
      const int k = 3 - i - j;  // the third row
      s[i][i] -= t * off;
      s[j][j] += t * off;
      s[i][j] = s[j][i] = 0;
      const Number ki = s[k][i], kj = s[k][j];
      s[k][i] = s[i][k] = c * ki - sn * kj;
      s[k][j] = s[j][k] = sn * ki + c * kj;
      rotate(q[i], q[j], c, sn);
      turned = true;
    }
  }
  Number values[3] = {s[0][0], s[1][1], s[2][2]};
  for (const auto& [p, r] : pairs) {
    if (values[p] >= values[r]) continue;
    std::swap(values[p], values[r]);
    std::swap(q[p], q[r]);
    q[r] = scaled(q[r], Number(-1));
  }
  for (int k = 0; k < 3; ++k) {
    parts[k] = values[k] * scale;
    for (int i = 0; i < 3; ++i) parts[3 + 3 * i + k] = q[k][i];
  }
}

template <class Number>
void svd_compose(const Number* x, Number* parts) {
  const Number* const U = x + 3;
  const Number* const V = x + 12;
  const Number* const s = x + 21;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      parts[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k) parts[3 * i + j] += U[3 * i + k] * s[k] * V[3 * j + k];
    }
}

template <class Number>
void eigen_compose(const Number* x, Number* parts) {
  const Number* const Q = x + 3;
  const Number* const l = x + 12;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++parts) {
      *parts = 0;
      for (int k = 0; k < 3; ++k) *parts += Q[3 * i + k] * l[k] * Q[3 * j + k];
    }
}

template void signed_svd(const double*, double*);
template void signed_svd(const long double*, long double*);
template void polar_rotation(const double*, double*);
template void polar_rotation(const long double*, long double*);
template void symmetric_eigen(const double*, double*);
template void symmetric_eigen(const long double*, long double*);
template void svd_compose(const double*, double*);
template void svd_compose(const long double*, long double*);
template void eigen_compose(const double*, double*);
template void eigen_compose(const long double*, long double*);

}  // namespace proxima::ir
