// Minimisations on a GPU, by stand-ins for it (tests/cuda_shim): what an objective computes there equals what it
// computes on the CPU, and so do whole steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"
#include "tests/solve/near.hpp"

namespace proxima {
namespace {

using device::CudaVector;
using test::waves;

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance,
                 const char* what) {
  const double size = device::norm(expected);
  ASSERT_GT(size, 0) << what;
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance * size) << what;
}

class OnAGpu : public testing::TestWithParam<const char*> {
 protected:
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
};

TEST_P(OnAGpu, AnObjectiveIsThatOfTheCpu) {
  model::Model model = bodies::make_element_model(GetParam());
  model.dirichlet.push_back({{0, 3}, {}, {}});
  solve::Objective objective(model, engine, factor::Storage::fp64);
  objective.use(shim.engine);
  solve::CudaObjective& gpu = *objective.gpu();
  gpu.follow();
  std::vector<double> x = model.initial_positions, x1 = x, p = waves(x.size(), 1, 1.1), expected(x.size());
  device::add_scaled(x, 0.08, waves(x.size(), 1, 0.3));
  device::add_scaled(x1, 0.07, waves(x.size(), 1, 0.4));
  objective.clear_held(p);
  CudaVector on = gpu.vector(), on1 = gpu.vector(), direction = gpu.vector(), y = gpu.vector();
  on.write(x);
  on1.write(x1);
  direction.write(p);

  const double energy = objective.elastic_energy(x).value;
  EXPECT_NEAR(gpu.elastic_energy(on), energy, 1e-13 * std::abs(energy));
  device::CudaPartials sum = gpu.algebra().partials(gpu.energy_chunks());
  solve::CudaItemEnergies first = gpu.item_energies(), second = gpu.item_energies();
  gpu.add_elastic_gradient(on1, second, y);
  objective.add_elastic_gradient(x1, expected);
  expect_near(shim.values(y), expected, 1e-13, "gradient with energies");
  std::fill(expected.begin(), expected.end(), 0.0);
  device::set_zero(y);
  gpu.add_elastic_gradient(on, first, y);
  device::set_zero(y);
  gpu.add_elastic_difference(first, second, sum);
  EXPECT_NEAR(gpu.algebra().total(sum), objective.elastic_difference(x, x1).value, 1e-13 * std::abs(energy));
  gpu.add_elastic_gradient(on, y);
  objective.add_elastic_gradient(x, expected);
  expect_near(shim.values(y), expected, 1e-13, "gradient");
  gpu.linearise(on);
  gpu.hessian_product(direction, y);
  objective.hessian_vector(x, p, expected);
  expect_near(shim.values(y), expected, 1e-13, "Hessian product");
  gpu.precondition(direction, y);
  objective.precondition(p, expected);
  expect_near(shim.values(y), expected, 1e-12, "A^-1");
  if (std::isfinite(energy)) {
    auto dual = objective.equilibrium_dual(x);
    auto on_dual = gpu.equilibrium_dual(on);
    for (int round = 0; round < 2; ++round) {  // the second from what the first made of the dual
      std::fill(expected.begin(), expected.end(), 0.0);
      objective.add_proximal_force(x1, dual, expected);
      device::set_zero(y);
      gpu.add_proximal_force(on1, on_dual, y);
      expect_near(shim.values(y), expected, 1e-11, "proximal force");
    }
  }
  EXPECT_NEAR(gpu.gradient_rounding(on), objective.gradient_rounding(x), 1e-12 * objective.gradient_rounding(x));
}

// Everything that the adjoint asks for besides products, held nodes included.
TEST_P(OnAGpu, PullBacksAreThoseOfTheCpu) {
  model::Model model = bodies::make_element_model(GetParam());
  model.dirichlet.push_back({{0, 3}, {}, {}});
  if (model.regions.size() == 1) model.regions[0].damping.stiffness = {0.01};
  if (GetParam() == std::string("hinges") || GetParam() == std::string("edges")) model.regions[0].damping = {};
  const solve::Objective on_cpu(model, engine);
  solve::Objective on_gpu(model, engine);
  on_gpu.use(shim.engine);
  const std::size_t size = model.initial_positions.size();
  std::vector<double> x = model.initial_positions, history = model::initial_history(model);
  device::add_scaled(x, 0.05, waves(size, 1, 0.3));
  device::add_scaled(history, 0.02, waves(history.size(), 1, 0.7));
  const std::vector<double> p = waves(size, 1, 1.1), bars = waves(history.size(), 1, 2.1);
  struct Found {
    std::vector<double> hessian, rest, previous, history, positions, values;
  };
  bool has_rest = true;
  try {
    on_cpu.require_rest_gradient();
  } catch (const Error&) {
    has_rest = false;
  }
  const auto add_on_cpu = [&](Found& found, std::vector<solve::RegionGradient>& total) {
    on_cpu.add_full_hessian_vector(x, p, found.hessian);
    if (has_rest) on_cpu.add_rest_pull_back(x, p, found.rest);
    on_cpu.add_pull_back(x, p, total);
    on_cpu.add_carried_pull_back(x, p, found.previous, found.history);
    on_cpu.add_history_pull_back(x, bars, total, found.positions, found.previous, found.history,
                                 has_rest ? std::span(found.rest) : std::span<double>());
  };
  const auto add_on_gpu = [&](Found& found, std::vector<solve::RegionGradient>& total) {
    solve::CudaObjective& gpu = *on_gpu.gpu();
    gpu.follow();
    const CudaVector at = gpu.uploaded(x), direction = gpu.uploaded(p);
    CudaVector hessian = gpu.uploaded(found.hessian), rest = gpu.uploaded(found.rest);
    CudaVector previous = gpu.uploaded(found.previous), positions = gpu.uploaded(found.positions);
    solve::CudaHistory of_history = gpu.uploaded_history(found.history);
    solve::CudaItemGradient items = gpu.zero_item_gradient();
    std::vector<double> at_rest;
    for (const auto& node : model.mesh.nodes) at_rest.insert(at_rest.end(), node.begin(), node.end());
    gpu.add_full_hessian_vector(at, direction, hessian);
    if (has_rest) gpu.add_rest_pull_back(at, direction, gpu.uploaded(at_rest), rest);
    gpu.add_pull_back(at, direction, total, items);
    gpu.add_carried_pull_back(at, direction, previous, of_history);
    gpu.add_history_pull_back(at, gpu.uploaded_history(bars), total, items, positions, previous, of_history,
                              has_rest ? &rest : nullptr);
    gpu.add(items, total);
    found = {shim.values(hessian),      shim.values(rest),      shim.values(previous),
             gpu.values_of(of_history), shim.values(positions), {}};
  };
  const auto found_by = [&](const solve::Objective& objective, const auto& add) {
    objective.enter_step({0.1, 0.1, model.initial_positions, history});
    std::vector<solve::RegionGradient> total;
    for (const auto& region : model.regions) total.push_back(solve::zero_gradient(region));
    Found found;
    for (auto* vector : {&found.hessian, &found.rest, &found.previous, &found.positions}) *vector = waves(size, 1, 5);
    found.history = waves(history.size(), 1, 5);
    add(found, total);
    for (const auto& region : total) {
      for (const auto& values : region.parameters)
        found.values.insert(found.values.end(), values.begin(), values.end());
      for (const auto& field : region.directions)
        for (const auto& v : field) found.values.insert(found.values.end(), v.begin(), v.end());
      found.values.insert(found.values.end(), region.stiffness_damping.begin(), region.stiffness_damping.end());
    }
    return found;
  };
  const Found expected = found_by(on_cpu, add_on_cpu), found = found_by(on_gpu, add_on_gpu);
  expect_near(found.hessian, expected.hessian, 1e-13, "product on all nodes");
  expect_near(found.rest, expected.rest, 1e-12, "by the rest shape");
  expect_near(found.previous, expected.previous, 1e-13, "by previous positions");
  if (!history.empty()) expect_near(found.history, expected.history, 1e-13, "by histories");
  expect_near(found.positions, expected.positions, 1e-13, "of histories, by positions");
  expect_near(found.values, expected.values, 1e-13, "by values");
  const Found again = found_by(on_gpu, add_on_gpu);
  EXPECT_EQ(again.values, found.values);
  EXPECT_EQ(again.rest, found.rest);
}

INSTANTIATE_TEST_SUITE_P(Shapes, OnAGpu,
                         testing::Values("tetrahedra", "hexahedra", "triangles", "edges", "hinges", "sheet",
                                         "several_energies"),
                         [](const auto& chosen) { return std::string(chosen.param); });

class StepsOnAGpu : public testing::TestWithParam<solve::Method> {};

// Values per element, moving ends, forces that come and go, and one more energy where there is damping by stiffness.
TEST_P(StepsOnAGpu, AreThoseOfTheCpu) {
  model::Model model = bodies::make_mixed_scene(3);
  model.regions[1].damping.stiffness = {1e-3};
  device::testing::CudaShimEngine shim;
  jit::Engine engine;
  const solve::StepSettings settings{1e-12, {.method = GetParam()}};
  const solve::Objective on_cpu(model, engine);
  solve::Objective on_gpu(model, engine);
  on_gpu.use(shim.engine);
  const auto expected = solve::simulate(on_cpu, model, settings, solve::initial_state(model));
  const auto found = solve::simulate(on_gpu, model, settings, solve::initial_state(model));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t step = 0; step < found.size(); ++step)
    for (std::size_t i = 0; i < found[step].positions.size(); ++i)
      EXPECT_NEAR(found[step].positions[i], expected[step].positions[i], 1e-12 * 0.1) << "step " << step;
  const auto again = solve::simulate(on_gpu, model, settings, solve::initial_state(model));
  EXPECT_EQ(again.back().positions, found.back().positions);
}

INSTANTIATE_TEST_SUITE_P(Methods, StepsOnAGpu,
                         testing::Values(solve::Method::newton, solve::Method::lbfgs, solve::Method::automatic,
                                         solve::Method::anderson, solve::Method::admm),
                         [](const auto& chosen) { return std::string(solve::method_entry(chosen.param).name); });

}  // namespace
}  // namespace proxima
