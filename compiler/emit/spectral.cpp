#include "compiler/emit/spectral.hpp"

#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace proxima::emit {
namespace {

using E = ir::Expression;
using ir::Op;
using Vector = std::array<E, 3>;
using Columns = std::array<Vector, 3>;

E max(E a, E b) { return a.apply(Op::max, {b}); }
E min(E a, E b) { return a.apply(Op::min, {b}); }
E abs(E a) { return a.apply(Op::abs); }
E sqrt(E a) { return a.apply(Op::sqrt); }

E dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector scaled(const Vector& a, E factor) { return {a[0] * factor, a[1] * factor, a[2] * factor}; }
Vector combined(E s, const Vector& a, E t, const Vector& b) {
  return {s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
}
Vector pick(E condition, const Vector& a, const Vector& b) {
  return {select(condition, a[0], b[0]), select(condition, a[1], b[1]), select(condition, a[2], b[2])};
}

// The upper triangle a00 a01 a02 a11 a12 a22 of a symmetric matrix.
struct Symmetric {
  E a00, a01, a02, a11, a12, a22;
  Vector times(const Vector& x) const { return {dot(row(0), x), dot(row(1), x), dot(row(2), x)}; }
  Vector row(int i) const {
    return i == 0 ? Vector{a00, a01, a02} : i == 1 ? Vector{a01, a11, a12} : Vector{a02, a12, a22};
  }
};

// Numbers times a power of two that brings the largest of them near 1, so that their fourth powers neither overflow nor
// vanish; exact, and undone by the product with `back`.
struct Scaled {
  Numbers numbers;
  E back;
};
Scaled near_one(const Numbers& x, Precision precision) {
  E largest = abs(x[0]);
  for (std::size_t k = 1; k < x.size(); ++k) largest = max(largest, abs(x[k]));
  // In two stages of powers 2^(-2r), 2^-r, 1, 2^r, 2^(2r): the first leaves exponents up to 200 (20), the second 40
  // (5).
  E factor = largest.constant(1), back = factor;
  const auto stage = [&](int range) {
    const auto power = [](int exponent) { return std::ldexp(1.0, exponent); };
    const E size = largest * factor;
    E up = largest.constant(1), down = up;
    for (const auto& [exponent, shift] : {std::pair(range / 2, range), std::pair(3 * range / 2, 2 * range)}) {
      const E large = less(power(exponent), size), small = less(size, power(-exponent));
      up = select(large, largest.constant(power(-shift)), select(small, largest.constant(power(shift)), up));
      down = select(large, largest.constant(power(shift)), select(small, largest.constant(power(-shift)), down));
    }
    factor = factor * up;
    back = back * down;
  };
  stage(precision == Precision::fp64 ? 400 : 40);
  stage(precision == Precision::fp64 ? 80 : 10);
  Scaled result{.numbers = {}, .back = back};
  for (const E& number : x) result.numbers.push_back(number * factor);
  return result;
}

// The root of b^3 - 3 b - 2 h = 0 between sqrt(3) and 2, that is 2 cos(acos(h) / 3), for 0 <= h <= 1: its Chebyshev
// interpolant, right to 5e-10 (fp32: 8e-5), and a Newton step, which squares the error.
E largest_root(E h, Precision precision) {
  static constexpr double fine[] = {
      1.7320508081013277,   0.33333322640292323,   -0.09622144230065502, 0.049334755626798454,  -0.030851973181469813,
      0.020581166346147487, -0.012900458900685408, 0.006505494719840499, -0.002178212034777971, 0.0003466355134150945};
  static constexpr double coarse[] = {1.7321326590663835, 0.3306607004416867, -0.08138239484576015,
                                      0.018639367794952122};
  const std::span<const double> coefficients =
      precision == Precision::fp64 ? std::span<const double>(fine) : std::span<const double>(coarse);
  E b = h.constant(coefficients.back());
  for (std::size_t k = coefficients.size() - 1; k-- > 0;) b = b * h + coefficients[k];
  const E square = b * b;
  return b - (b * (square - 3.0) - 2.0 * h) / (3.0 * (square - 1.0));
}

// A unit eigenvector of the eigenvalue farthest from the other two, and whether that is the largest or the smallest.
struct BestSeparated {
  Vector vector;
  E is_largest;
  E trace;
};
BestSeparated best_separated(const Symmetric& s, Precision precision) {
  // C = (S - q 1) / p has the eigenvalues 2 cos(.), roots of b^3 - 3 b = det C.
  const E trace = s.a00 + s.a11 + s.a22;
  const E q = (1.0 / 3) * trace;
  const E d0 = s.a00 - q, d1 = s.a11 - q, d2 = s.a22 - q;
  const E off = s.a01 * s.a01 + s.a02 * s.a02 + s.a12 * s.a12;
  const E p = sqrt((1.0 / 6) * (d0 * d0 + d1 * d1 + d2 * d2 + 2.0 * off));
  const E inverse = select(less(0, p), 1 / p, 0.0);  // all eigenvalues equal: every vector will do
  const Symmetric c = {d0 * inverse, s.a01 * inverse, s.a02 * inverse, d1 * inverse, s.a12 * inverse, d2 * inverse};
  const E h = 0.5 * (c.a00 * (c.a11 * c.a22 - c.a12 * c.a12) - c.a01 * (c.a01 * c.a22 - c.a12 * c.a02) +
                     c.a02 * (c.a01 * c.a12 - c.a11 * c.a02));
  const E is_smallest = less(h, 0);
  const E size = largest_root(abs(h), precision);
  const E root = select(is_smallest, -size, size);

  // The adjugate of C - root 1 is a positive multiple of v v^T, far from 0 since the root is well separated; the column
  // with the largest diagonal entry has the smallest relative error.
  const E m0 = c.a00 - root, m1 = c.a11 - root, m2 = c.a22 - root;
  const Symmetric adjugate = {m1 * m2 - c.a12 * c.a12, c.a02 * c.a12 - c.a01 * m2, c.a01 * c.a12 - c.a02 * m1,
                              m0 * m2 - c.a02 * c.a02, c.a01 * c.a02 - m0 * c.a12, m0 * m1 - c.a01 * c.a01};
  Vector v = pick(less(adjugate.a00, adjugate.a11), adjugate.row(1), adjugate.row(0));
  v = pick(less(max(adjugate.a00, adjugate.a11), adjugate.a22), adjugate.row(2), v);
  const E poison = 0.0 * q;  // NaN when an entry is not finite
  v = scaled(v, 1 / sqrt(dot(v, v)) + poison);
  return {v, is_smallest.apply(Op::logical_not), trace};
}

// Two vectors that make a right-handed orthonormal basis with the unit vector n: (first, second, n). Duff et al.,
// "Building an Orthonormal Basis, Revisited", 2017.
std::array<Vector, 2> complement(const Vector& n) {
  const E sign = select(less(n[2], 0), -1.0, 1.0);
  const E a = -1.0 / (sign + n[2]);
  const E b = n[0] * n[1] * a;
  return {Vector{1.0 + sign * (n[0] * n[0] * a), sign * b, -(sign * n[0])}, Vector{b, sign + n[1] * n[1] * a, -n[1]}};
}

// Cosine and sine of the rotation that makes the symmetric matrix [aa ab; ab bb] diagonal with the larger eigenvalue
// first: its eigenvectors are c x + s y and c y - s x. `spread` is half the difference of the eigenvalues.
struct PlaneRotation {
  E c, s, spread;
};
PlaneRotation diagonalising(E aa, E ab, E bb) {
  const E d = 0.5 * (aa - bb);
  const E spread = sqrt(d * d + ab * ab);
  const E r = abs(d) + spread;
  const E square = r * r + ab * ab;
  const E turns = less(0, square);
  const E inverse = 1 / sqrt(square);
  const E large = select(turns, r * inverse, 1.0), small = select(turns, ab * inverse, 0.0);
  const E keeps = less(d, 0).apply(Op::logical_not);
  return {select(keeps, large, small), select(keeps, small, large), spread};
}

// Some vector orthogonal to the unit vector u, of length 0.8 to 1.
Vector orthogonal(const Vector& u) {
  const E zero = u[0].constant(0);
  return pick(less(abs(u[0]), 0.6), {zero, u[2], -u[1]}, {-u[2], zero, u[0]});
}

// A scaled 3x3 matrix, row by row.
struct Matrix : Scaled {
  Matrix(const Numbers& x, Precision precision) : Scaled(near_one(x, precision)) {}
  Vector column(std::size_t j) const { return {numbers[j], numbers[3 + j], numbers[6 + j]}; }
  Vector times(const Vector& v) const {
    const auto row = [&](std::size_t i) { return Vector{numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]}; };
    return {dot(row(0), v), dot(row(1), v), dot(row(2), v)};
  }
  Symmetric gram() const {  // A^T A
    const Vector a = column(0), b = column(1), c = column(2);
    return {dot(a, a), dot(a, b), dot(a, c), dot(b, b), dot(b, c), dot(c, c)};
  }
};

}  // namespace

Numbers signed_svd(const Numbers& x, Precision precision) {
  const Matrix A(x, precision);
  // One right singular vector from A^T A. It makes A v orthogonal to what the others are mapped to, to rounding of
  // |A|; between the other two, A itself decides (one-sided Jacobi), since A^T A has lost small singular values.
  const BestSeparated best = best_separated(A.gram(), precision);
  const auto [e, f] = complement(best.vector);
  const Vector wv = A.times(best.vector), e_image = A.times(e), f_image = A.times(f);
  const auto [c, s, spread] = diagonalising(dot(e_image, e_image), dot(e_image, f_image), dot(f_image, f_image));
  const Vector we = combined(c, e_image, s, f_image), wf = combined(c, f_image, -s, e_image);
  const Vector e_turned = combined(c, e, s, f), f_turned = combined(c, f, -s, e);
  const E first = best.is_largest;
  const Columns V = {pick(first, best.vector, e_turned), pick(first, e_turned, f_turned),
                     pick(first, f_turned, best.vector)};
  const Columns W = {pick(first, wv, we), pick(first, we, wf), pick(first, wf, wv)};

  // U by orthogonalising A V; where a column is 0 any direction will do.
  const double epsilon = precision == Precision::fp64 ? 0x1p-52 : 0x1p-23;
  const E n0 = dot(W[0], W[0]);
  const E zero = 0.0 * n0;  // or NaN
  const E sigma0 = sqrt(n0);
  const Vector u0 = pick(less(0, sigma0), scaled(W[0], 1 / sigma0), {1.0 + zero, zero, zero});
  const Vector rest = combined(n0.constant(1), W[1], -dot(u0, W[1]), u0);
  const E vanishes = dot(rest, rest).apply(Op::less_equal, {(epsilon * epsilon) * n0});
  const Vector direction = pick(vanishes, orthogonal(u0), rest);
  const E length = sqrt(dot(direction, direction));
  const Vector u1 = scaled(direction, 1 / length);
  const Vector u2 = cross(u0, u1);
  // In order to the last bit.
  const E sigma1 = min(select(vanishes, 0.0, length), sigma0);
  const E sigma2 = max(min(dot(u2, W[2]), sigma1), -sigma1);

  Numbers parts = {sigma0 * A.back, sigma1 * A.back, sigma2 * A.back};
  for (const Columns& columns : {Columns{u0, u1, u2}, V})
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) parts.push_back(columns[k][i]);
  return parts;
}

Numbers polar_rotation(const Numbers& x, Precision precision) {
  const Matrix A(x, precision);
  const BestSeparated best = best_separated(A.gram(), precision);
  const Vector& v = best.vector;
  const auto [e, f] = complement(v);
  const Vector e_image = A.times(e), f_image = A.times(f);

  // R v = t: the direction of A v if that is the longest image; if it is the shortest, what is orthogonal to the
  // others.
  const Vector axis = pick(best.is_largest, A.times(v), cross(e_image, f_image));
  const E square = dot(axis, axis);
  const Vector t = pick(square.apply(Op::less_equal, {square.constant(0)}), v, scaled(axis, 1 / sqrt(square)));

  // In the planes orthogonal to v and t, the rotation nearest to B = [b00 b01; b10 b11] maps e to the direction of
  // (b00 + b11, b10 - b01), whatever the sign of its determinant: to A e + A f x t.
  const Vector turned = cross(f_image, t);
  const Vector sum = {e_image[0] + turned[0], e_image[1] + turned[1], e_image[2] + turned[2]};
  const Vector in_plane = combined(sum[0].constant(1), sum, -dot(sum, t), t);
  const double epsilon = precision == Precision::fp64 ? 0x1p-52 : 0x1p-23;
  const E vanishes = dot(in_plane, in_plane).apply(Op::less_equal, {(epsilon * epsilon) * best.trace});
  const Vector direction = pick(vanishes, orthogonal(t), in_plane);
  const Vector Re = scaled(direction, 1 / sqrt(dot(direction, direction)));
  const Vector Rf = cross(t, Re);
  Numbers parts;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) parts.push_back(t[i] * v[j] + Re[i] * e[j] + Rf[i] * f[j]);
  return parts;
}

Numbers symmetric_eigen(const Numbers& x, Precision precision) {
  const auto [a, back] = near_one(x, precision);
  const Symmetric matrix = {a[0], a[1], a[2], a[3], a[4], a[5]};
  const BestSeparated best = best_separated(matrix, precision);
  const auto [e, f] = complement(best.vector);
  const Vector e_image = matrix.times(e), f_image = matrix.times(f);
  const E ee = dot(e, e_image), ff = dot(f, f_image);
  const auto [c, s, spread] = diagonalising(ee, dot(e, f_image), ff);
  const Vector e_turned = combined(c, e, s, f), f_turned = combined(c, f, -s, e);
  const E value = dot(best.vector, matrix.times(best.vector));
  const E middle = 0.5 * (ee + ff);
  const E above = middle + spread, below = middle - spread;

  const E first = best.is_largest;
  const E l0 = select(first, max(value, above), above);
  const E l1 = select(first, above, below);
  const E l2 = select(first, below, min(value, below));
  const Columns Q = {pick(first, best.vector, e_turned), pick(first, e_turned, f_turned),
                     pick(first, f_turned, best.vector)};
  Numbers parts = {l0 * back, l1 * back, l2 * back};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) parts.push_back(Q[k][i]);
  return parts;
}

Numbers svd_compose(const Numbers& x) {
  const auto U = [&](std::size_t i, std::size_t k) { return x[3 + 3 * i + k]; };
  const auto V = [&](std::size_t i, std::size_t k) { return x[12 + 3 * i + k]; };
  Numbers parts;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector scaled_row = {U(i, 0) * x[21], U(i, 1) * x[22], U(i, 2) * x[23]};
    for (std::size_t j = 0; j < 3; ++j) parts.push_back(dot(scaled_row, {V(j, 0), V(j, 1), V(j, 2)}));
  }
  return parts;
}

Numbers eigen_compose(const Numbers& x) {
  const auto Q = [&](std::size_t i, std::size_t k) { return x[3 + 3 * i + k]; };
  Numbers parts;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector scaled_row = {Q(i, 0) * x[12], Q(i, 1) * x[13], Q(i, 2) * x[14]};
    for (std::size_t j = i; j < 3; ++j) parts.push_back(dot(scaled_row, {Q(j, 0), Q(j, 1), Q(j, 2)}));
  }
  return parts;
}

}  // namespace proxima::emit
