// The preconditioner M on a GPU, by stand-ins for it (tests/cuda_shim): it is that of the CPU, and follows the values.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"
#include "tests/solve/input_scenes.hpp"

namespace proxima {
namespace {

using device::CudaVector;

constexpr int slow_modes = 12;

std::vector<double> waves(std::size_t size, double amplitude, double phase) {
  std::vector<double> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = amplitude * std::sin(1.7 * static_cast<double>(i) + phase);
  return v;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  const double size = device::norm(expected);
  ASSERT_GT(size, 0);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance * size) << i;
}

class DeflationOnAGpu : public testing::TestWithParam<const char*> {
 protected:
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
};

// Flat neighbourhoods, which sheets have, turn another way than solid ones; a bar is of several tiles of K.
TEST_P(DeflationOnAGpu, IsThatOfTheCpu) {
  const bool bar = GetParam() == std::string("bar");
  model::Model model = bar ? bodies::make_bar(5, 0.04, 3) : bodies::make_element_model(GetParam());
  const double length = bar ? 0.01 : 1;  // of an element
  model.dirichlet.push_back({{0, 3}, {}, {}});
  solve::Objective objective(model, engine, factor::Storage::fp64, slow_modes);
  ASSERT_NE(objective.deflation(), nullptr);
  EXPECT_FALSE(objective.deflation()->modes().values().empty());
  objective.use(shim.engine);
  solve::CudaObjective& gpu = *objective.gpu();
  gpu.follow();
  const std::size_t size = model.initial_positions.size();
  std::vector<double> p = waves(size, 1, 1.1), q = waves(size, 1, 2.3), expected(size);
  objective.clear_held(p);
  objective.clear_held(q);
  const CudaVector on_p = shim.vector(p), on_q = shim.vector(q);
  CudaVector y = gpu.vector();
  std::vector<double> turned;
  for (const double angle : {0.0, 2.0}) {
    std::vector<double> x = model.initial_positions;
    device::add_scaled(x, 0.08 * length, waves(size, 1, 0.3));
    for (std::size_t i = 0; i < size; i += 3) {
      const double a = x[i], b = x[i + 1];
      x[i] = std::cos(angle) * a - std::sin(angle) * b;
      x[i + 1] = std::sin(angle) * a + std::cos(angle) * b;
    }
    objective.linearise(x);
    gpu.linearise(shim.vector(x));
    objective.precondition_hessian(q, expected);
    gpu.precondition_hessian(on_q, y);
    expect_near(shim.values(y), expected, 1e-12);
    const double pmq = device::dot(on_p, y);
    objective.precondition_hessian(p, expected);
    gpu.precondition_hessian(on_p, y);
    expect_near(shim.values(y), expected, 1e-12);
    EXPECT_NEAR(device::dot(on_q, y), pmq, 1e-12 * device::norm(on_q) * device::norm(y));  // symmetric
    EXPECT_GT(device::dot(on_p, y), 0);
    EXPECT_NE(shim.values(y), turned);
    turned = shim.values(y);
    (void)shim.copied();
    const int launches = shim.launches();
    gpu.precondition_hessian(on_p, y);
    EXPECT_EQ(shim.launches() - launches, 13);
    const auto copied = shim.copied();
    EXPECT_EQ(copied.up.bytes + copied.down.bytes + copied.later.bytes, 0u);
    EXPECT_EQ(shim.values(y), turned);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, DeflationOnAGpu,
                         testing::Values("bar", "tetrahedra", "hexahedra", "triangles", "edges", "sheet",
                                         "several_energies"),
                         [](const auto& chosen) { return std::string(chosen.param); });

using DeflationFollows = DeflationOnAGpu;

// Much shorter steps have A alone, and M is made when values are set, for steps of the model's length: of these values,
// in a step whose time and parameters are its own.
TEST_F(DeflationFollows, StepsAndValues) {
  model::Model model = bodies::input_scenes().at("triangles")();
  const double h = model.time_step;
  solve::Objective objective(model, engine, factor::Storage::fp64, slow_modes);
  objective.use(shim.engine);
  solve::CudaObjective& gpu = *objective.gpu();
  const std::size_t size = model.initial_positions.size();
  const CudaVector previous = shim.vector(model.initial_positions);
  const auto history = gpu.uploaded_history(model::initial_history(model));
  gpu.enter_step(h / 8, h / 8, previous, history, {});
  EXPECT_EQ(objective.deflation(), nullptr);
  model.regions[0].parameters[1][0] *= 1.5;
  objective.set_values(model);
  EXPECT_NE(objective.deflation(), nullptr);
  gpu.enter_step(2 * h, h, previous, history, {});
  ASSERT_NE(objective.deflation(), nullptr);

  solve::Objective fresh(model, engine, factor::Storage::fp64, slow_modes);
  fresh.enter_step({2 * h, h, model.initial_positions, model::initial_history(model)});
  std::vector<double> x = model.initial_positions, p = waves(size, 1, 0.4), expected(size);
  device::add_scaled(x, 0.05, waves(size, 1, 0.3));
  fresh.clear_held(p);
  CudaVector on = shim.vector(x), direction = shim.vector(p), y = gpu.vector();
  gpu.add_elastic_gradient(on, y);
  fresh.add_elastic_gradient(x, expected);
  expect_near(shim.values(y), expected, 1e-13);
  gpu.linearise(on);
  fresh.linearise(x);
  gpu.precondition_hessian(direction, y);
  fresh.precondition_hessian(p, expected);
  expect_near(shim.values(y), expected, 1e-12);
}

}  // namespace
}  // namespace proxima
