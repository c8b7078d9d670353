// Every kernel of every energy, shipped ones and those that exercise the other operators, on every target, against the
// interpreter: at rest, rotated, two and nearly two equal stretches, near-singular, inverted, and in between.
#include <gtest/gtest.h>

#include <array>

#include "compiler/derive/derive.hpp"
#include "tests/derive/states.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using derive::Quantity;
using test::Matrix3;
using testing::Batch;

constexpr Quantity quantities[] = {Quantity::energy,         Quantity::forces,    Quantity::energy_forces,
                                   Quantity::hessian_vector, Quantity::pull_back, Quantity::state};

void append(std::vector<double>& to, const std::vector<double>& what) { to.insert(to.end(), what.begin(), what.end()); }

// One element a state; the fields of strain_kernel.
Batch density_batch(const ir::Kernel& kernel, const ir::Energy& energy) {
  Batch batch;
  const auto states = test::states();
  batch.elements = states.size();
  batch.fields.resize(kernel.inputs.size());
  const auto parameters = test::parameters_of(energy);
  const std::size_t first_parameter = kernel.inputs.size() - parameters.size();
  for (std::size_t e = 0; e < states.size(); ++e) {
    append(batch.fields[0], test::flat(states[e].F));
    if (first_parameter == 2) append(batch.fields[1], test::flat(test::some_direction(static_cast<int>(e))));
    for (std::size_t k = 0; k < parameters.size(); ++k)
      batch.fields[first_parameter + k].push_back(parameters[k] * (1 + 0.01 * static_cast<double>(e)));
  }
  return batch;
}

// One tetrahedron a state, with nodes of its own and corner 0 away from the origin; the fields of element_kernel.
Batch tetrahedron_batch(const ir::Kernel& kernel, const ir::Energy& energy) {
  Batch batch;
  const auto states = test::states();
  batch.elements = states.size();
  batch.fields.resize(kernel.inputs.size());
  const auto parameters = test::parameters_of(energy);
  const std::size_t first_parameter = kernel.inputs.size() - parameters.size();
  const bool has_direction = kernel.inputs[1].name == "direction";
  for (std::size_t e = 0; e < states.size(); ++e) {
    Matrix3 edges = Matrix3::Identity() + 0.3 * test::some_direction(static_cast<int>(e) + 100);  // columns x_s - x_0
    if (edges.determinant() < 0) edges.col(0) *= -1;
    const Matrix3 gradients = edges.inverse();  // rows g_s
    const Matrix3 moved = states[e].F * edges;
    const auto add_nodes = [](std::vector<double>& field, const Matrix3& columns, const Eigen::Vector3d& first) {
      append(field, {first(0), first(1), first(2)});
      for (int s = 0; s < 3; ++s) {
        const Eigen::Vector3d x = first + columns.col(s);
        append(field, {x(0), x(1), x(2)});
      }
    };
    for (std::int32_t s = 0; s < 4; ++s) batch.nodes.push_back(static_cast<std::int32_t>(4 * e) + 3 - s);
    std::vector<double> positions, direction;
    add_nodes(positions, moved, {0.3, -0.2, 0.5});
    add_nodes(direction, test::some_direction(static_cast<int>(e)), {0.1, 0.7, -0.4});
    const auto add_reversed = [](std::vector<double>& field, const std::vector<double>& nodes) {
      for (std::size_t s = 4; s-- > 0;) append(field, {nodes[3 * s], nodes[3 * s + 1], nodes[3 * s + 2]});
    };
    add_reversed(batch.fields[0], positions);
    if (has_direction) add_reversed(batch.fields[1], direction);
    append(batch.fields[has_direction ? 2 : 1], test::flat(gradients));
    batch.fields[has_direction ? 3 : 2].push_back(edges.determinant() / 6);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const bool uniform = kernel.inputs[first_parameter + k].access == ir::Access::uniform;
      if (!uniform || e == 0)
        batch.fields[first_parameter + k].push_back(parameters[k] * (1 + 0.01 * static_cast<double>(e)));
    }
  }
  return batch;
}

class Energies : public ::testing::TestWithParam<int> {
 protected:
  const Target target_ =
      std::array{Target::avx512(), Target::avx2(), Target::portable()}.at(static_cast<std::size_t>(GetParam()));
  void SetUp() override {
    if (!target_.runs_here()) GTEST_SKIP() << target_.cpu << ": not on this processor";
  }
  testing::TemporaryFolder folder_;
};

TEST_P(Energies, DensityKernelsEqualTheInterpreter) {
  Engine engine(folder_.path(), target_);
  for (const ir::Energy& energy : test::energies())
    for (const Quantity quantity : quantities) {
      const ir::Kernel kernel = derive::strain_kernel(energy, quantity);
      for (const Precision precision : {Precision::fp64, Precision::fp32})
        testing::expect_equals_interpreter(kernel, *engine.compile(kernel, precision), density_batch(kernel, energy),
                                           target_.cpu);
    }
}

TEST_P(Energies, TetrahedronKernelsEqualTheInterpreter) {
  Engine engine(folder_.path(), target_);
  for (const ir::Energy& energy : test::energies())
    for (const Quantity quantity : quantities) {
      std::vector<bool> per_element(energy.parameters.size());
      for (std::size_t k = 0; k < per_element.size(); ++k) per_element[k] = k % 2 == 1;
      const ir::Kernel kernel = derive::element_kernel(energy, quantity, derive::Shape{4, 3}, per_element);
      testing::expect_equals_interpreter(kernel, *engine.compile(kernel), tetrahedron_batch(kernel, energy),
                                         target_.cpu);
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Energies, ::testing::Values(0, 1, 2), [](const auto& which) {
  return std::string(std::array{"avx512", "avx2", "portable"}.at(static_cast<std::size_t>(which.param)));
});

}  // namespace
}  // namespace proxima::jit
