#include "tests/derive/states.hpp"

#include <proxima/dsl.hpp>
#include <random>

#include "compiler/dsl/trace.hpp"

namespace {

using namespace proxima::dsl;

// Invariants of an anisotropic, bounded kind, through the functions that the shipped materials do not use.
PROXIMA_ENERGY(mixed_functions) {
  auto k = parameter("k", pascal, 10).positive();
  auto p = parameter("p", dimensionless, 1.7).above(1);
  auto F = deformation_gradient();
  auto a = F * vector(0.6, 0.8, 0);
  auto stretch2 = squared_norm(a);
  auto J = det(F);
  return k * (pow(stretch2, p) + tanh(J) + sin(F(0, 1)) * cos(F(1, 2)) + exp(-stretch2) + log1p(stretch2) +
              sqrt(1 + J * J) + atan2(F(1, 0) + 3, stretch2) + tan(0.1 * F(2, 2)) + expm1(0.1 * J) + cbrt(2 + J) +
              pow(stretch2 + 1, -2) + trace(inverse(F + 4 * identity())));
}

// Fibres that resist stretch only, a limit on compression, and a branch that is singular where it is not taken.
PROXIMA_ENERGY(branches) {
  auto k = parameter("k", pascal, 100).positive();
  auto limit = parameter("limit", dimensionless, 0.4).between(0, 1);
  auto F = deformation_gradient();
  auto J = det(F);
  auto stretch = norm(F * vector(0, 0.6, 0.8));
  auto fibre = select(stretch > 1.05, square(stretch - 1.05), 0);
  auto barrier = select(J < limit && J > 0, -square(J - limit) * log(J / limit), 0);
  auto bounded = max(squared_norm(F), 2.9) + min(J, 1.1) + abs(F(0, 2) + 0.31);
  return k * (fibre + barrier + 0.5 * bounded + select(!(J <= 0), pow(J, 1.5), square(J)));
}

}  // namespace

namespace proxima::test {

Matrix3 rotation(double angle, double x, double y, double z) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d(x, y, z).normalized()).toRotationMatrix();
}

std::vector<State> states() {
  const Matrix3 U = rotation(0.7, 1, 2, 3), V = rotation(-1.1, 3, -1, 1);
  const auto stretched = [&](double a, double b, double c) -> Matrix3 {
    return U * Eigen::Vector3d(a, b, c).asDiagonal() * V;
  };
  Matrix3 general;
  general << 1.1, 0.2, -0.3, 0.1, 0.9, 0.25, -0.15, 0.05, 1.2;
  return {
      {"rest", Matrix3::Identity(), 1},
      {"rotated", U, 1},
      {"two_equal_stretches", stretched(1.2, 1.2, 0.8), 1},
      {"nearly_equal_stretches", stretched(1.2, 1.2 + 1e-9, 0.8), 1},
      {"near_singular", stretched(1.1, 0.9, 1e-3 / (1.1 * 0.9)), 1e-3},
      {"inverted", stretched(1.1, 0.9, -0.8), 1},
      {"general", general, 1},
  };
}

std::vector<ir::Energy> energies() {
  std::vector<ir::Energy> result;
  for (const auto& registered : dsl::registered_energies()) result.push_back(dsl::trace(registered));
  return result;
}

ir::Energy energy_named(const std::string& name) { return dsl::find_energy(name); }

Numbers parameters_of(const ir::Energy& energy) {
  Numbers values;
  for (const ir::Parameter& parameter : energy.parameters)
    values.push_back(parameter.default_value * (1 + 0.03 * static_cast<double>(values.size() + 1)));
  return values;
}

Numbers flat(const Matrix3& F) { return {F.data(), F.data() + 9}; }

Matrix3 matrix(const double* entries) { return Eigen::Map<const Matrix3>(entries); }

Numbers concatenate(std::initializer_list<Numbers> parts) {
  Numbers all;
  for (const Numbers& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Matrix3 some_direction(int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  Matrix3 direction;
  for (int i = 0; i < 9; ++i) direction(i / 3, i % 3) = std::uniform_real_distribution<>(-1, 1)(random);
  return direction;
}

}  // namespace proxima::test
