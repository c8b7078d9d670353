// The energies of dsl_examples/ once more, by hand with Eigen: formulas as in the cited sources, without the language.
#pragma once

#include <Eigen/Dense>
#include <map>
#include <string>
#include <vector>

#include "compiler/ir/energy.hpp"

namespace proxima::dsl::examples {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix32d = Eigen::Matrix<double, 3, 2>;

// Values of all inputs of an energy.
struct State {
  std::vector<double> strain;
  std::map<std::string, std::vector<double>> inputs;  // parameters too, by name

  double number(const std::string& name) const { return inputs.at(name).at(0); }
  Vector3d vector(const std::string& name) const { return Eigen::Map<const Vector3d>(inputs.at(name).data()); }
  Matrix3d matrix(const std::string& name) const { return square(inputs.at(name)); }
  Matrix3d F() const { return square(strain); }
  Matrix32d surface_F() const { return Eigen::Map<const Eigen::Matrix<double, 3, 2, Eigen::RowMajor>>(strain.data()); }
  Vector3d edge() const { return Eigen::Map<const Vector3d>(strain.data()); }

  static Matrix3d square(const std::vector<double>& values) {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(values.data());
  }
  // In the order of the graph's slots.
  std::vector<double> slots(const ir::Energy& energy) const;
};

// All inputs at their defaults; a direction without one, rest lengths and rest positions as given here.
State default_state(const ir::Energy& energy, std::vector<double> strain);

// The density at that state. Throws std::out_of_range for an energy that has no formula here.
double reference_density(const std::string& energy, const State& state);

// The viscous strain of standard_linear_solid after the step: backward Euler for tau dA/dt = strain - A.
Matrix3d reference_viscous_strain(const State& state);

// The values of the histories of von_mises_plasticity after the step, by the radial return of the textbook.
std::map<std::string, std::vector<double>> reference_plastic_update(const State& state);

}  // namespace proxima::dsl::examples
