// Deformation gradients at which every energy is tested, and the energies.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"

namespace proxima::test {

using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Numbers = std::vector<double>;

struct State {
  std::string name;
  Matrix3 F;
  double scale;  // smallest singular value: steps of differences must be small against it
};

Matrix3 rotation(double angle, double x, double y, double z);
std::vector<State> states();  // rest, rotated, two equal stretches, nearly equal, near-singular, inverted, general

// The shipped materials, and others that exercise the remaining operators.
std::vector<ir::Energy> energies();
ir::Energy energy_named(const std::string& name);

// Default values that are all a little off, so that nothing cancels by chance.
Numbers parameters_of(const ir::Energy& energy);

Numbers flat(const Matrix3& F);
Matrix3 matrix(const double* entries);
Numbers concatenate(std::initializer_list<Numbers> parts);

// A fixed matrix of entries of order one.
Matrix3 some_direction(int seed);

}  // namespace proxima::test
