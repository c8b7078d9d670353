// Stress, Hessian and filtered Hessians of every shipped energy, at the states where derivatives tend to go wrong,
// against differences in extended precision and Eigen's decomposition.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "tests/derive/spectral_energies.hpp"
#include "tests/support/symmetric_eigen.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;
using ir::Measure;
using Long = long double;
using Vector = Eigen::VectorX<Long>;
using Matrix = Eigen::MatrixX<Long>;

// The strain of an element whose rest shape is deformed by F.
Vector strain_of(const ir::Energy& energy, const Eigen::Matrix3<Long>& F) {
  Vector strain(energy.strain_components());
  if (energy.measure == Measure::edge_vector) {
    strain = F * Eigen::Vector3<Long>(0.6L, -0.48L, 0.64L);
  } else if (energy.measure == Measure::node_positions) {
    const Long rest[4][3] = {{0, 0, 0}, {1, 0.1L, 0}, {0.4L, 0.9L, 0.2L}, {0.6L, -0.8L, 0.3L}};
    for (int s = 0; s < 4; ++s) strain.segment(3 * s, 3) = F * Eigen::Vector3<Long>(rest[s][0], rest[s][1], rest[s][2]);
  } else {
    const Eigen::Index columns = strain.size() / 3;
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < columns; ++j) strain[columns * i + j] = F(i, j);
  }
  return strain;
}

class Shipped : public testing::TestWithParam<std::string> {
 protected:
  const ir::Energy energy = energy_named(GetParam());
  const Eigen::Index n = energy.strain_components();

  // The kernel's inputs; everything but the strain and its direction is the same for all states.
  std::vector<Long> inputs(const ir::Kernel& kernel, const Vector& strain, const Vector& direction) const {
    std::vector<Long> values;
    const auto add = [&](const Vector& part) { values.insert(values.end(), part.begin(), part.end()); };
    const Numbers parameters = parameters_of(energy);
    std::size_t parameter = 0;
    for (const ir::Field& field : kernel.inputs) {
      if (field.name == "strain") add(strain);
      if (field.name == "strain_direction") add(direction);
      if (field.name == "previous") add(strain_of(energy, 1.05L * rotation(0.2, 1, 0, 0).cast<Long>()));
      if (field.name == "time_step") values.push_back(0.05L);
      if (field.name.starts_with("parameter:")) values.push_back(parameters[parameter++]);
      if (field.name.starts_with("direction:")) add(Eigen::Vector3<Long>(0.6L, 0.64L, 0.48L));
      if (field.name == "rest_length") values.push_back(1);
      if (field.name == "rest_positions") add(strain_of(energy, Eigen::Matrix3<Long>::Identity()));
      if (field.name.starts_with("history:"))
        for (const ir::Input& input : energy.inputs)
          if ("history:" + input.name == field.name)
            values.insert(values.end(), input.initial.begin(), input.initial.end());
    }
    return values;
  }
  Vector at(const ir::Kernel& kernel, const Vector& strain, const Vector& direction = {}) const {
    const auto values = ir::evaluate<Long>(kernel, inputs(kernel, strain, direction));
    return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  }
  bool has_value_when_inverted(const ir::Kernel& value) const {
    const Eigen::Matrix3<Long> F = Eigen::Vector3<Long>(1.1L, 0.9L, -0.8L).asDiagonal();
    return std::isfinite(at(value, strain_of(energy, F))[0]) && GetParam() != "branches";  // one is singular at J = 0
  }
  // Of an upper triangle, row by row.
  Matrix from_upper(const Vector& entries) const {
    Matrix result(n, n);
    for (Eigen::Index i = 0, k = 0; i < n; ++i)
      for (Eigen::Index j = i; j < n; ++j) result(i, j) = result(j, i) = entries[k++];
    return result;
  }
  Matrix columns(const ir::Kernel& kernel, const Vector& strain) const {
    Matrix result(n, n);
    for (Eigen::Index k = 0; k < n; ++k) result.col(k) = at(kernel, strain, Vector::Unit(n, k));
    return result;
  }
};

template <class Function>
auto difference(const Function& f, Long h) {
  using Result = std::decay_t<decltype(f(h))>;
  return Result((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h));
}

TEST_P(Shipped, DerivativesAreRightAtEveryState) {
  const ir::Kernel value = derive::strain_kernel(energy, Quantity::energy);
  const ir::Kernel stress = derive::strain_kernel(energy, Quantity::forces);
  const ir::Kernel product = derive::strain_kernel(energy, Quantity::hessian_vector);
  const ir::Kernel hessian = derive::strain_kernel(energy, Quantity::hessian);
  const ir::Kernel clamped = derive::strain_kernel(energy, Quantity::hessian_vector_clamped);
  const ir::Kernel absolute = derive::strain_kernel(energy, Quantity::hessian_vector_absolute);
  int tried = 0, smooth = 0;
  for (const State& state : spectral_states()) {
    SCOPED_TRACE(state.name);
    // Signs of stretches change there, or det F is 0: no derivative, or outside the domain.
    if (state.name == "rank_one" || state.name == "opposite_stretches") continue;
    const Vector x = strain_of(energy, state.F.cast<Long>());
    const Long h = 1e-4L * state.scale;
    const Vector P = at(stress, x);
    if (!std::isfinite(at(value, x)[0]) || !P.allFinite()) continue;
    if (state.name == "rank_two" && !has_value_when_inverted(value)) continue;  // at the edge of the domain
    ++tried;
    const Matrix H = columns(product, x);
    ASSERT_TRUE(H.allFinite());
    const Long stiffness = H.cwiseAbs().maxCoeff(), size = std::max(P.cwiseAbs().maxCoeff(), stiffness * state.scale);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto along = [&](Long t) { return Vector(x + t * Vector::Unit(n, k)); };
      // A kink of the stress at this very state has no second derivative: there the one-sided differences differ.
      const auto P_along = [&](Long t) { return at(stress, along(t)); };
      const Vector ahead = (P_along(h) - P) / h, behind = (P - P_along(-h)) / h;
      const bool kink = (ahead - behind).norm() > 0.02L * stiffness;
      const Long slope = difference([&](Long t) { return at(value, along(t))[0]; }, h);
      EXPECT_NEAR(static_cast<double>(P[k] / size), static_cast<double>(slope / size), kink ? 1e-4 : 1e-9);
      if (kink) continue;
      ++smooth;
      const Vector slopes = difference(P_along, h);
      EXPECT_LT(static_cast<double>((H.col(k) - slopes).norm() / stiffness), 1e-7) << "column " << k;
    }
    EXPECT_LT(static_cast<double>((H - H.transpose()).norm() / stiffness), 1e-14);
    EXPECT_LT(static_cast<double>((from_upper(at(hessian, x)) - H).norm() / stiffness), 1e-14);
    const auto [l, Q] = symmetric_eigen(Matrix(0.5L * (H + H.transpose())));
    EXPECT_LT((columns(clamped, x) - Q * l.cwiseMax(Long(0)).asDiagonal() * Q.transpose()).norm(), 1e-12L * stiffness);
    EXPECT_LT((columns(absolute, x) - Q * l.cwiseAbs().asDiagonal() * Q.transpose()).norm(), 1e-12L * stiffness);
  }
  EXPECT_GE(tried, 8);
  EXPECT_GE(smooth, 4 * n);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ir::Energy& energy : energies()) result.push_back(energy.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Energies, Shipped, testing::ValuesIn(names()), [](const auto& param) { return param.param; });

TEST(RestWeightOfShipped, HasNoDerivativeByWhatMovesAClosestPointAmongOtherTerms) {
  EXPECT_NO_THROW(derive::rest_weight_gradient(energy_named("pneumatic_cell")));
  EXPECT_NO_THROW(derive::rest_weight_gradient(energy_named("diffpd")));
  try {
    derive::rest_weight_gradient(energy_named("pneumatic_body"));
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'inflation'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace proxima::test
