// Tetrahedron kernels against the same quantities composed by hand from the kernels of the deformation gradient.
#include <gtest/gtest.h>

#include <proxima/dsl.hpp>
#include <random>
#include <stdexcept>

#include "compiler/derive/derive.hpp"
#include "compiler/dsl/trace.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/operators.hpp"
#include "tests/derive/states.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;
using Corners = Eigen::Matrix<double, 4, 3, Eigen::RowMajor>;

class Tetrahedron : public testing::Test {
 protected:
  Tetrahedron() {
    rest << 0.1, 0.2, 0, 1.1, 0.1, 0.3, 0, 1.3, 0.1, 0.2, 0.1, 0.9;
    Eigen::Matrix3d edges;
    for (int s = 0; s < 3; ++s) edges.col(s) = (rest.row(s + 1) - rest.row(0)).transpose();
    gradients = edges.inverse();
    volume = edges.determinant() / 6;
    for (int s = 0; s < 4; ++s) {
      deformed.row(s) = (rest.row(s) * some_F.transpose()).eval() + Eigen::RowVector3d(3, -2, 1);
      for (int i = 0; i < 3; ++i) direction(s, i) = std::uniform_real_distribution<>(-1, 1)(random);
    }
  }

  // Gradients of all four corners, one a row; the first is minus the sum of the others.
  Corners all_gradients() const {
    Corners g;
    g.bottomRows(3) = gradients;
    g.row(0) = -gradients.colwise().sum();
    return g;
  }
  static Numbers flat4(const Corners& x) { return {x.data(), x.data() + 12}; }

  Numbers inputs(const Numbers& parameters, bool with_direction) const {
    return concatenate(
        {flat4(deformed), with_direction ? flat4(direction) : Numbers{}, flat(gradients), {volume}, parameters});
  }
  static void expect_near(const Numbers& actual, const Numbers& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    double size = 0;
    for (double x : expected) size = std::max(size, std::fabs(x));
    for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-11 * size);
  }
  Numbers corner_forces(const Numbers& P) const {
    const Corners forces = volume * all_gradients() * matrix(P.data()).transpose();
    return flat4(forces);
  }
  static ir::Kernel kernel(const ir::Energy& energy, Quantity quantity) {
    return derive::element_kernel(energy, quantity, derive::Shape{4, 3},
                                  std::vector<bool>(energy.parameters.size(), false));
  }

  std::mt19937 random{11};
  const Matrix3 some_F = states().back().F;
  Corners rest, deformed, direction;
  Matrix3 gradients;
  double volume = 0;
};

TEST_F(Tetrahedron, KernelsEqualTheirCompositionByHand) {
  for (const ir::Energy& energy : energies()) {
    SCOPED_TRACE(energy.name);
    const Numbers parameters = parameters_of(energy);
    const Matrix3 F = (deformed.transpose() * all_gradients()).eval();
    const Matrix3 dF = (direction.transpose() * all_gradients()).eval();
    ASSERT_LE((F - some_F).norm(), 1e-13);
    const auto density = [&](Quantity quantity, bool with_dF) {
      return ir::evaluate<double>(derive::strain_kernel(energy, quantity),
                                  concatenate({flat(F), with_dF ? flat(dF) : Numbers{}, parameters}));
    };
    const auto element = [&](Quantity quantity, bool with_direction) {
      return ir::evaluate<double>(kernel(energy, quantity), inputs(parameters, with_direction));
    };
    const Numbers psi = {volume * density(Quantity::energy, false)[0]};
    const Numbers forces = corner_forces(density(Quantity::forces, false));
    expect_near(element(Quantity::energy, false), psi);
    expect_near(element(Quantity::forces, false), forces);
    expect_near(element(Quantity::energy_forces, false), concatenate({psi, forces}));
    expect_near(element(Quantity::hessian_vector, true), corner_forces(density(Quantity::hessian_vector, true)));
    Numbers by_parameter = density(Quantity::pull_back, true);
    for (double& entry : by_parameter) entry *= volume;
    expect_near(element(Quantity::pull_back, true), by_parameter);
    expect_near(element(Quantity::state, false), density(Quantity::state, false));
  }
}

TEST_F(Tetrahedron, ForcesBalanceToTheLastBitsAndVanishAtRest) {
  const ir::Energy energy = energy_named("stable_neo_hookean");
  const ir::Kernel forces = kernel(energy, Quantity::forces);
  Numbers f = ir::evaluate<double>(forces, inputs({1e5, 0.4}, false));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(f[i] + f[3 + i] + f[6 + i] + f[9 + i], 0, 1e-11);
  deformed = rest;
  for (double entry : ir::evaluate<double>(forces, inputs({1e5, 0.4}, false))) EXPECT_NEAR(entry, 0, 1e-9);
}

TEST(TetrahedronKernel, DeclaresItsFieldsAsPromised) {
  const ir::Energy energy = energy_named("neo_hookean");
  const ir::Kernel kernel =
      derive::element_kernel(energy, Quantity::hessian_vector, derive::Shape{4, 3}, {false, true});
  EXPECT_EQ(kernel.name, "neo_hookean.hessian_vector");
  EXPECT_EQ(kernel.corners, 4u);
  const std::vector<std::string> names = {"positions", "direction",   "gradients",
                                          "volume",    "parameter:E", "parameter:nu"};
  ASSERT_EQ(kernel.inputs.size(), names.size());
  std::uint32_t scalars = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(kernel.inputs[k].name, names[k]);
    scalars += kernel.scalars(kernel.inputs[k]);
  }
  EXPECT_EQ(scalars, 12u + 12 + 9 + 1 + 2);
  EXPECT_EQ(kernel.inputs[4].access, ir::Access::uniform);
  EXPECT_EQ(kernel.inputs[5].access, ir::Access::element);
  ASSERT_EQ(kernel.outputs.size(), 1u);
  EXPECT_EQ(kernel.outputs[0].name, "forces");
  EXPECT_EQ(kernel.outputs[0].components, 12u);
  EXPECT_EQ(kernel.results.size(), 12u);
  EXPECT_THROW(derive::element_kernel(energy, Quantity::forces, derive::Shape{4, 3}, {false}), std::logic_error);
}

TEST(TetrahedronKernel, HoldsLiveNodesOnly) {
  for (const ir::Energy& energy : energies())
    for (Quantity quantity : {Quantity::energy, Quantity::forces, Quantity::hessian_vector, Quantity::pull_back}) {
      const ir::Kernel kernel = derive::element_kernel(energy, quantity, derive::Shape{4, 3},
                                                       std::vector<bool>(energy.parameters.size(), false));
      for (bool live : ir::live_nodes(kernel.graph, kernel.results)) EXPECT_TRUE(live) << kernel.name;
    }
}

// The figures in docs/rooms/derive.md; a rise means that a simplification was lost.
TEST(TetrahedronKernel, IsAsCheapAsMeasured) {
  const ir::Energy energy = energy_named("neo_hookean");
  const auto operations = [&](Quantity quantity) {
    return ir::count_operations(derive::element_kernel(energy, quantity, derive::Shape{4, 3}, {false, false}))
        .operations;
  };
  EXPECT_LE(operations(Quantity::energy), 94);
  EXPECT_LE(operations(Quantity::forces), 174);
  EXPECT_LE(operations(Quantity::hessian_vector), 306);
  EXPECT_LE(operations(Quantity::pull_back), 205);
  EXPECT_LE(ir::count_operations(derive::strain_kernel(energy, Quantity::forces)).operations, 73);
}

TEST(UnusedParameter, IsAnInputWithZeroDerivativeAndCanBeTold) {
  const ir::Energy energy = dsl::trace({"unused", "unused.cpp", 1, [] {
                                          using namespace proxima::dsl;
                                          auto k = parameter("k", pascal, 1).positive();
                                          parameter("spare", pascal, 1);
                                          return (k * squared_norm(deformation_gradient())).handle();
                                        }});
  ASSERT_EQ(energy.parameters.size(), 2u);
  EXPECT_TRUE(derive::depends_on(energy, 0));
  EXPECT_FALSE(derive::depends_on(energy, 1));
  const ir::Kernel kernel = derive::strain_kernel(energy, Quantity::pull_back);
  EXPECT_EQ(kernel.inputs.size(), 4u);
  const Numbers result =
      ir::evaluate<double>(kernel, concatenate({flat(states().back().F), flat(some_direction(1)), {1, 2}}));
  EXPECT_NE(result[0], 0);
  EXPECT_EQ(result[1], 0);
}

}  // namespace
}  // namespace proxima::test
