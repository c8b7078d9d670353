// Damping by stiffness of every shipped energy: what its definition says, with the curvature by another kernel; nothing
// for rotations; the weight that a matrix of projective dynamics gets for it.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <set>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "tests/derive/spectral_energies.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;
using Long = long double;
using Matrix3 = Eigen::Matrix3<Long>;
using Vector = Eigen::VectorX<Long>;

constexpr Long beta = 0.03L, h = 0.05L, length_at_rest = 0.8L;

bool has_strain(const ir::Energy& energy) {
  return !energy.dissipation && energy.measure != ir::Measure::node_positions;
}

// A parameter of theirs, the volume that they want to have, moves a closest point.
const std::set<std::string> inflated = {"pneumatic_cell", "pneumatic_body"};

class Rayleigh : public testing::TestWithParam<std::string> {
 protected:
  const ir::Energy energy = energy_named(GetParam());
  const ir::Energy damping = derive::rayleigh_dissipation(energy);
  const Eigen::Index n = energy.strain_components(), columns = n / 3;
  const bool edge = energy.measure == ir::Measure::edge_vector;

  Vector strain_of(const Matrix3& F) const {
    Vector result(n);
    if (edge) {
      result = F * Eigen::Vector3<Long>(length_at_rest, 0, 0);
    } else {
      for (Eigen::Index i = 0; i < 3; ++i)
        for (Eigen::Index j = 0; j < columns; ++j) result[columns * i + j] = F(i, j);
    }
    return result;
  }

  std::vector<Long> evaluate(const ir::Kernel& kernel, const Vector& strain, const Vector& previous,
                             const Vector& direction) const {
    std::vector<Long> inputs;
    const auto parameters = parameters_of(energy);
    std::size_t parameter = 0;
    const auto add = [&](const Vector& part) { inputs.insert(inputs.end(), part.begin(), part.end()); };
    for (const ir::Field& field : kernel.inputs) {
      if (field.name == "strain") add(strain);
      if (field.name == "strain_direction") add(direction);
      if (field.name == "previous") add(previous);
      if (field.name == "time_step") inputs.push_back(h);
      if (field.name == std::string("parameter:") + derive::rayleigh_stiffness)
        inputs.push_back(beta);
      else if (field.name.starts_with("parameter:"))
        inputs.push_back(parameters.at(parameter++));
      if (field.name.starts_with("direction:")) add(Eigen::Vector3<Long>(0.6L, 0.64L, 0.48L));
      if (field.name == "rest_length") inputs.push_back(length_at_rest);
      for (const ir::Input& input : energy.inputs)
        if (field.name == "history:" + input.name)
          inputs.insert(inputs.end(), input.initial.begin(), input.initial.end());
    }
    return ir::evaluate<Long>(kernel, inputs);
  }

  Vector curvature_at_rest(const Vector& direction) const {
    const Vector rest = strain_of(Matrix3::Identity());
    const auto values = evaluate(derive::strain_kernel(energy, Quantity::hessian_vector), rest, rest, direction);
    return Eigen::Map<const Vector>(values.data(), n);
  }

  // The rate of a strain that no rotation changes, as a change of the measure at rest.
  Vector strain_rate(const Matrix3& F, const Matrix3& before) const {
    Vector result = Vector::Zero(n);
    if (edge) {
      result[0] = (strain_of(F).squaredNorm() - strain_of(before).squaredNorm()) / (2 * length_at_rest * h);
    } else {
      const Matrix3 rate = (F.transpose() * F - before.transpose() * before) / (2 * h);
      for (Eigen::Index i = 0; i < columns; ++i)
        for (Eigen::Index j = 0; j < columns; ++j) result[columns * i + j] = rate(i, j);
    }
    return result;
  }

  Long in_a_step(const Matrix3& F, const Matrix3& before) const {
    return evaluate(derive::strain_kernel(damping, Quantity::energy), strain_of(F), strain_of(before), {})[0];
  }

  const Matrix3 now_ = (Matrix3() << 1.1L, 0.2L, 0, -0.1L, 0.95L, 0.15L, 0.05L, 0.3L, 1.05L).finished();
  const Matrix3 before_ = (Matrix3() << 0.9L, 0.1L, 0.2L, 0.1L, 1.05L, -0.2L, 0, 0.1L, 0.97L).finished();
};

TEST_P(Rayleigh, IsTheCurvatureAtRestOfTheRateOfStrain) {
  const Vector D = strain_rate(now_, before_);
  const Long expected = h * beta / 2 * D.dot(curvature_at_rest(D)), found = in_a_step(now_, before_);
  ASSERT_GT(std::fabs(expected), 0);
  EXPECT_NEAR(static_cast<double>(found / expected), 1, 1e-14);
}

TEST_P(Rayleigh, DoesNotSeeRotations) {
  const Matrix3 Q = rotation(0.8, 1, 2, -1).cast<Long>(), other = rotation(-1.3, 0, 1, 0.5).cast<Long>();
  EXPECT_NEAR(static_cast<double>(in_a_step(Q * now_, other * before_) / in_a_step(now_, before_)), 1, 1e-14);
}

TEST_P(Rayleigh, WeighsTheMatrixByItsCoefficientOverTheStep) {
  Long mean = 0;
  const Eigen::Index axes = edge ? 1 : columns;
  for (Eigen::Index i = 0; i < axes; ++i) {
    const Eigen::Index k = i * columns + i;
    mean += curvature_at_rest(Vector::Unit(n, k))[k] / static_cast<Long>(axes);
  }
  const Long weight = evaluate(derive::rest_weight(damping), {}, {}, {})[0];
  EXPECT_NEAR(static_cast<double>(weight), static_cast<double>(beta / h * mean),
              1e-14 * static_cast<double>(std::fabs(beta / h * mean)));
}

TEST_P(Rayleigh, HasTheForcesOfItsDensity) {
  const ir::Kernel forces = derive::strain_kernel(damping, Quantity::forces);
  const auto values = evaluate(forces, strain_of(now_), strain_of(before_), {});
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto at = [&](Long t) {
      return evaluate(derive::strain_kernel(damping, Quantity::energy), strain_of(now_) + t * Vector::Unit(n, k),
                      strain_of(before_), {})[0];
    };
    const Long t = 1e-4L, slope = (8 * (at(t) - at(-t)) - (at(2 * t) - at(-2 * t))) / (12 * t);
    EXPECT_NEAR(static_cast<double>(values[k] / in_a_step(now_, before_)),
                static_cast<double>(slope / in_a_step(now_, before_)), 1e-10);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ir::Energy& energy : energies())
    if (has_strain(energy) && !inflated.contains(energy.name)) result.push_back(energy.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Energies, Rayleigh, testing::ValuesIn(names()), [](const auto& param) { return param.param; });

std::string refusal_of(const std::string& name) {
  try {
    derive::rayleigh_dissipation(energy_named(name));
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

TEST(RayleighOfAStencil, IsRefusedByName) {
  EXPECT_NE(refusal_of("discrete_shell_bending").find("'discrete_shell_bending' is a function of the positions"),
            std::string::npos);
}

TEST(RayleighOfAnInflatedCell, IsRefusedByNameOfWhatItCannotBeDifferentiatedBy) {
  for (const std::string& name : inflated)
    EXPECT_NE(refusal_of(name).find("'" + name + "' has a parameter, 'inflation', that moves a closest point"),
              std::string::npos)
        << refusal_of(name);
}

}  // namespace
}  // namespace proxima::test
