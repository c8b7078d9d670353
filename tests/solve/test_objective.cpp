#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/solve/objective/objective.hpp"
#include "runtime/solve/objective/potential.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/reference.hpp"

namespace proxima {
namespace {

using Eigen::VectorXd;

VectorXd to_eigen(std::span<const double> v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<long>(v.size()));
}

std::vector<double> waves(std::size_t size, double amplitude, double phase) {
  std::vector<double> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = amplitude * std::sin(1.7 * static_cast<double>(i) + phase);
  return v;
}

class ObjectiveOfMixedScene : public testing::Test {
 protected:
  void SetUp() override {
    x = model.initial_positions;
    const auto wave = waves(x.size(), 2e-3, 0.3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += wave[i];
    direction = waves(x.size(), 1, 1.1);
    objective.clear_held(direction);
  }
  VectorXd free_only(VectorXd v) const {
    objective.clear_held(std::span<double>(v.data(), static_cast<std::size_t>(v.size())));
    return v;
  }
  model::Model model = bodies::make_mixed_scene(1);
  jit::Engine engine;
  solve::Objective objective{model, engine, factor::Storage::fp64};
  bodies::ReferenceSimulator reference{model};
  std::vector<double> x, direction;
};

TEST_F(ObjectiveOfMixedScene, HasTheHandWrittenEnergyGradientAndHessian) {
  EXPECT_NEAR(objective.elastic_energy(x).value, reference.energy(to_eigen(x)), 1e-12 * reference.energy(to_eigen(x)));
  std::vector<double> gradient(x.size()), product(x.size());
  objective.add_elastic_gradient(x, gradient);
  const VectorXd expected = free_only(reference.gradient(to_eigen(x)));
  EXPECT_LT((to_eigen(gradient) - expected).norm(), 1e-12 * expected.norm());
  objective.hessian_vector(x, direction, product);
  const VectorXd image = free_only(reference.step_matrix(to_eigen(x)) * to_eigen(direction));
  EXPECT_LT((to_eigen(product) - image).norm(), 1e-12 * image.norm());
  objective.linearise(x);
  for (int k = 0; k < 12; ++k) objective.hessian_product(direction, product);  // from some product on by the matrix
  EXPECT_LT((to_eigen(product) - image).norm(), 1e-12 * image.norm());
  for (std::size_t node = 0; node < objective.nodes(); ++node)
    EXPECT_NEAR(objective.mass()[node], reference.mass()[static_cast<long>(3 * node)], 1e-16);
}

// Together, alone, and of a point that a potential remembers or has forgotten again.
TEST_F(ObjectiveOfMixedScene, HasEnergyAndGradientTogether) {
  std::vector<double> gradient(x.size()), together(x.size());
  objective.add_elastic_gradient(x, gradient);
  const double energy = objective.elastic_energy(x).value;
  EXPECT_NEAR(objective.elastic_energy_and_gradient(x, together).value, energy, 1e-13 * std::abs(energy));
  EXPECT_LT((to_eigen(together) - to_eigen(gradient)).norm(), 1e-13 * to_eigen(gradient).norm());

  const solve::Potential potential(objective, model.initial_positions, waves(x.size(), 0.1, 0.7));
  std::vector<double> fresh(x.size()), remembered(x.size());
  potential.gradient(x, fresh);
  const double value = potential.value(x).value;
  for (int points = 0; points < 6; ++points) {
    std::vector<double> other = x;
    other[0] += 1e-4 * points;
    EXPECT_EQ(potential.value(other).value == value, points == 0);
    potential.gradient(x, remembered);
    EXPECT_LT((to_eigen(remembered) - to_eigen(fresh)).norm(), 1e-13 * to_eigen(fresh).norm());
    EXPECT_EQ(potential.elastic(other).gradient == together, points == 0);
  }
  EXPECT_EQ(potential.value(x).value, value);
}

TEST_F(ObjectiveOfMixedScene, ClearsHeldNodesEverywhere) {
  std::vector<double> gradient(x.size()), solved(x.size(), 7.0);
  objective.add_elastic_gradient(x, gradient);
  objective.precondition(direction, solved);
  int held = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!objective.held(i / 3)) continue;
    ++held;
    EXPECT_EQ(gradient[i], 0);
    EXPECT_EQ(solved[i], 0);
  }
  EXPECT_EQ(held, 27);
}

TEST_F(ObjectiveOfMixedScene, InvertsTheProjectiveDynamicsMatrix) {
  // A from its definition: M/h^2 + sum w V G^T G with w = 2 mu + lambda, free nodes only.
  const long nodes = static_cast<long>(objective.nodes());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(nodes, nodes);
  for (const auto& region : model.regions)
    for (std::size_t e = 0; e < region.elements.count(); ++e) {
      const auto tet = region.elements.of(e);
      Eigen::Matrix4d corners;
      for (int c = 0; c < 4; ++c) {
        const auto& p = model.mesh.nodes[tet[c]];
        corners.row(c) << 1, p[0], p[1], p[2];
      }
      const Eigen::Matrix<double, 4, 3> g = corners.inverse().bottomRows<3>().transpose();
      const auto value = [&](int k) { return region.parameters[k][region.parameters[k].size() > 1 ? e : 0]; };
      const Eigen::Matrix4d block = (2 * value(0) + value(1)) * corners.determinant() / 6 * g * g.transpose();
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) A(tet[a], tet[b]) += block(a, b);
    }
  for (long i = 0; i < nodes; ++i) A(i, i) += reference.mass()[3 * i] / (model.time_step * model.time_step);
  for (long i = 0; i < nodes; ++i) {
    if (!objective.held(static_cast<std::size_t>(i))) continue;
    A.row(i).setZero();
    A.col(i).setZero();
    A(i, i) = 1;
  }
  std::vector<double> solved(x.size());
  objective.precondition(direction, solved);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
  const Eigen::Map<const Rows> b(direction.data(), nodes, 3), z(solved.data(), nodes, 3);
  EXPECT_LT((A * z - b).norm(), 1e-11 * b.norm());
}

TEST_F(ObjectiveOfMixedScene, KeepsTheDigitsOfSmallEnergyDifferences) {
  std::vector<double> near = x, gradient(x.size());
  const double step = 1e-12;
  for (std::size_t i = 0; i < x.size(); ++i) near[i] += step * direction[i];
  objective.add_elastic_gradient(x, gradient);
  const double expected = step * to_eigen(gradient).dot(to_eigen(direction));
  EXPECT_NEAR(objective.elastic_difference(x, near).value, expected, 1e-3 * std::abs(expected));
}

TEST_F(ObjectiveOfMixedScene, NamesAnElementOutsideTheDomain) {
  const auto tet = mesh::elements(model.mesh, mesh::Shape::tetrahedron).of(17);
  for (int axis = 0; axis < 3; ++axis) std::swap(x[3 * tet[0] + axis], x[3 * tet[1] + axis]);  // turns it inside out
  const auto energy = objective.elastic_energy(x), change = objective.elastic_difference(model.initial_positions, x);
  EXPECT_FALSE(std::isfinite(energy.value));
  ASSERT_TRUE(energy.outside.has_value());
  EXPECT_EQ(energy.outside, change.outside);
  EXPECT_EQ(reference.energy(to_eigen(x)), INFINITY);
}

TEST_F(ObjectiveOfMixedScene, PullsBackToEveryParameter) {
  // V <P, dF> summed is gradient . direction; P is linear in mu and lambda, so differences are exact but for rounding.
  std::vector<solve::RegionGradient> back = {solve::zero_gradient(model.regions[0]),
                                             solve::zero_gradient(model.regions[1])};
  objective.add_pull_back(x, direction, back);
  EXPECT_EQ(back[0].parameters[0].size(), model.regions[0].elements.count());
  EXPECT_EQ(back[0].parameters[1].size(), 1u);
  const auto slope = [&](const model::Model& changed) {
    return bodies::ReferenceSimulator(changed).gradient(to_eigen(x)).dot(to_eigen(direction));
  };
  const double scale = std::abs(slope(model));
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t k = 0; k < 2; ++k)
      for (const std::size_t e : {std::size_t{0}, back[r].parameters[k].size() - 1}) {
        model::Model changed = model;
        double& value = changed.regions[r].parameters[k][e];
        const double change = value;
        value += change;
        EXPECT_NEAR(back[r].parameters[k][e] * change, slope(changed) - slope(model), 1e-12 * scale) << r << k << e;
      }
}

TEST_F(ObjectiveOfMixedScene, ElasticForcesActOnHeldNodesToo) {
  const auto forces = objective.elastic_forces(x);
  std::vector<double> gradient(x.size());
  objective.add_elastic_gradient(x, gradient);
  double sum[3] = {}, size = 0, held = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum[i % 3] += forces[i];
    size += std::abs(forces[i]);
    if (objective.held(i / 3))
      held += std::abs(forces[i]);
    else
      EXPECT_EQ(forces[i], -gradient[i]);
  }
  EXPECT_GT(held, 1e-3 * size);
  for (const double component : sum) EXPECT_NEAR(component, 0, 1e-12 * size);  // they are the body's own
}

TEST_F(ObjectiveOfMixedScene, RefactorsOnlyWhenItHasTo) {
  EXPECT_EQ(objective.factorizations(), 1);
  for (auto& region : model.regions)
    for (auto& values : region.parameters)
      for (double& value : values) value *= 1.5;
  objective.set_values(model);
  EXPECT_EQ(objective.factorizations(), 2);
  objective.set_values(model);
  EXPECT_EQ(objective.factorizations(), 2);
  EXPECT_NEAR(objective.elastic_energy(x).value, bodies::ReferenceSimulator(model).energy(to_eigen(x)), 1e-12);
  model.regions[0].density = 1100;
  objective.set_values(model);
  EXPECT_EQ(objective.factorizations(), 3);
}

TEST_F(ObjectiveOfMixedScene, RefusesValuesOutsideTheirIntervals) {
  model::Model changed = model;
  changed.regions[1].parameters[0][0] = -1;
  EXPECT_THAT([&] { objective.set_values(changed); },
              testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("stiff"), testing::HasSubstr("mu"))));
  changed = model;
  changed.regions[1].density = 0;
  EXPECT_THAT([&] { objective.set_values(changed); }, testing::ThrowsMessage<Error>(testing::AllOf(
                                                          testing::HasSubstr("stiff"), testing::HasSubstr("density"))));
  changed.regions.pop_back();
  EXPECT_THROW(objective.set_values(changed), Error);
}

TEST_F(ObjectiveOfMixedScene, TakesAnotherRestShapeAsIfItWereMadeForIt) {
  for (auto& node : model.mesh.nodes)
    for (double& value : node) value *= 1.1 + 0.3 * node[0];
  for (auto& region : model.regions) region.damping.mass = 2;
  objective.set_values(model);
  const solve::Objective fresh(model, engine, factor::Storage::fp64);
  EXPECT_EQ(objective.elastic_energy(x).value, fresh.elastic_energy(x).value);
  const std::vector<double> mass(objective.mass().begin(), objective.mass().end());
  EXPECT_THAT(mass, testing::ElementsAreArray(fresh.mass()));
  std::vector<double> ours(x.size()), theirs(x.size());
  objective.precondition(x, ours);
  fresh.precondition(x, theirs);
  EXPECT_EQ(ours, theirs);
}

}  // namespace
}  // namespace proxima
