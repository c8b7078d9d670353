// Products with H in single precision on a GPU, by stand-ins for it (tests/cuda_shim): near those in double, wherever
// in space the body is, and what is solved with them is what the CPU finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/conjugate_gradients.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"
#include "tests/solve/input_scenes.hpp"
#include "tests/solve/near.hpp"

namespace proxima {
namespace {

using device::CudaVector;
using test::waves;

double distance(std::vector<double> a, const std::vector<double>& b) {
  device::add_scaled(a, -1, b);
  return device::norm(a) / device::norm(b);
}

class SinglePrecision : public testing::TestWithParam<const char*> {
 protected:
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
};

using SingleProducts = SinglePrecision;
TEST_P(SingleProducts, AreThoseInDoubleToItsRounding) {
  const model::Model model = bodies::make_element_model(GetParam());
  solve::Objective objective(model, engine, factor::Storage::fp64);
  objective.use(shim.engine);
  solve::CudaObjective& gpu = *objective.gpu();
  gpu.set_product_precision(emit::Precision::fp32);
  for (const double away : {0.0, 1e3}) {
    std::vector<double> start = model.initial_positions, x = start;
    device::add_scaled(x, 0.05, waves(x.size(), 1, 0.3));
    for (auto* positions : {&start, &x})
      for (double& coordinate : *positions) coordinate += away;
    objective.enter_step({model.time_step, model.time_step, start, model::initial_history(model)});
    gpu.follow();
    CudaVector on = gpu.vector(), direction = gpu.vector(), y = gpu.vector();
    on.write(x);
    direction.write(waves(x.size(), 1, 1.1));
    gpu.linearise(on);
    gpu.exact_hessian_product(direction, y);
    const auto exact = shim.values(y);
    gpu.hessian_product(direction, y);
    const double off = distance(shim.values(y), exact);
    EXPECT_LT(off, 1e-5) << away << " m away";
    EXPECT_GT(off, 0);
  }
  gpu.set_product_precision(emit::Precision::fp64);
  CudaVector on = gpu.vector(), y = gpu.vector(), exact = gpu.vector();
  on.write(model.initial_positions);
  gpu.linearise(on);
  gpu.hessian_product(on, y);
  gpu.exact_hessian_product(on, exact);
  EXPECT_EQ(shim.values(y), shim.values(exact));
}
INSTANTIATE_TEST_SUITE_P(Shapes, SingleProducts,
                         testing::Values("hexahedra", "triangles", "edges", "sheet", "several_energies"));

using SingleSteps = SinglePrecision;
TEST_P(SingleSteps, EndWhereThoseOfTheCpuDo) {
  const model::Model model = bodies::input_scenes().at(GetParam())();
  const solve::Objective on_cpu(model, engine, factor::Storage::fp64);
  solve::Objective on_gpu(model, engine, factor::Storage::fp64);
  on_gpu.use(shim.engine);
  on_gpu.gpu()->set_product_precision(emit::Precision::fp32);
  const solve::StepSettings settings{.tolerance = 1e-12};
  const auto start = solve::initial_state(model);
  int solves = 0, solves_there = 0;
  const auto count = [](int& sum) {
    return [&sum](int, const solve::State&, const solve::StepReport& report) { sum += report.a_solves; };
  };
  const auto expected = solve::simulate(on_cpu, model, settings, start, count(solves));
  const auto found = solve::simulate(on_gpu, model, settings, start, count(solves_there));
  EXPECT_LT(distance(found.back().positions, expected.back().positions), 1e-11);
  EXPECT_LT(solves_there, 1.2 * solves);
}
INSTANTIATE_TEST_SUITE_P(Scenes, SingleSteps,
                         testing::Values("implicit_euler", "bdf2", "quasi_static", "histories", "triangles",
                                         "controllers", "contrast_100_nu_45"),
                         [](const auto& chosen) { return std::string(chosen.param); });

}  // namespace
}  // namespace proxima
