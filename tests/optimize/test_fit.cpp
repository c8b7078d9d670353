#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/optimize/fit.hpp"
#include "runtime/optimize/gradcheck.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/energies.hpp"

namespace proxima {
namespace {

using optimize::Quantity;
using optimize::Scale;
using optimize::Variable;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double young = 4e4, poisson = 0.35;

// A bar held at one end that is shaken and swings under its weight.
model::Model swinging_bar(int steps) {
  model::Model model = bodies::make_bar();
  model.regions[0].energy = bodies::log_neo_hookean_engineering();
  model.regions[0].parameters = {{young}, {poisson}};
  bodies::hold_end(model, false, {{0, {}, {}}, {0.1, {0, 0.02, 0}, {0.5, 0, 0}}});
  model.gravity = {0, 0, -9.81};
  model.steps = steps;
  return model;
}

// Splits the bar's region in two at the middle.
void split(model::Model& model) {
  const auto all = model.regions[0];
  model::Region left = all, right = all;
  right.name = "right";
  std::vector<std::int32_t> near, far;
  for (const auto tet : all.numbers) {
    double x = 0;
    for (const auto node : all.elements.of(tet)) x += model.mesh.nodes[node][0] / 4;
    (x < 0.05 ? near : far).push_back(tet);
  }
  model::set_elements(left, model.mesh, mesh::Shape::tetrahedron, near);
  model::set_elements(right, model.mesh, mesh::Shape::tetrahedron, far);
  model.regions = {left, right};
}

std::shared_ptr<const adjoint::Loss> record(const model::Model& model, jit::Engine& engine) {
  const solve::Objective objective(model, engine);
  const auto states = solve::simulate(objective, model, {.tolerance = 1e-10}, solve::initial_state(model));
  std::map<int, std::vector<double>> frames;
  for (int k = 1; k <= model.steps; ++k) frames[k] = states[k].positions;
  return std::make_shared<adjoint::RecordedMotion>(frames, adjoint::uniform_weights(model.mesh.nodes.size()));
}

TEST(Fit, RecoversYoungsModulusAndPoissonsRatio) {
  model::Model model = swinging_bar(20);
  jit::Engine engine;
  const auto loss = record(model, engine);
  model.regions[0].parameters = {{young / 5}, {0.2}};
  const optimize::Design design(model,
                                {{"E", Quantity::parameter, {0}, false, {}, Scale::logarithmic, 1e3, 1e6, {young / 5}},
                                 {"nu", Quantity::parameter, {0}, false, {}, Scale::linear, 0.05, 0.48, {0.2}}});
  solve::Objective objective(model, engine);
  int calls = 0;
  const auto found = optimize::fit(objective, model, design, *loss, {}, [&](const optimize::FitProgress& progress) {
    ++calls;
    EXPECT_EQ(progress.optimiser.evaluation, calls);
    EXPECT_EQ(progress.values.size(), 2u);
    return true;
  });
  EXPECT_NEAR(found.values[0][0], young, 0.01 * young);
  EXPECT_NEAR(found.values[1][0], poisson, 0.01 * poisson);
  EXPECT_EQ(found.minimum.evaluations, calls);
  EXPECT_LT(calls, 40);
  EXPECT_LE(found.cost.worst_adjoint_residual, 1e-8);
  EXPECT_GT(found.cost.seconds_forward, 0);
}

TEST(Fit, RecoversTheModuliOfTwoRegionsAndADensity) {
  model::Model model = swinging_bar(15);
  split(model);
  model.regions[0].parameters[0] = {2e4};
  model.regions[1].parameters[0] = {6e4};
  model.regions[1].density = 1400;
  jit::Engine engine;
  const auto loss = record(model, engine);
  const optimize::Design design(model,
                                {{"E", Quantity::parameter, {0}, false, {}, Scale::logarithmic, 1e3, 1e6, {4e4}},
                                 {"E", Quantity::parameter, {1}, false, {}, Scale::logarithmic, 1e3, 1e6, {4e4}},
                                 {"density", Quantity::density, {1}, false, {}, Scale::linear, 500, 3000, {1000}}});
  solve::Objective objective(model, engine);
  optimize::FitSettings settings;
  settings.optimiser.relative_decrease = 1e-12;
  const auto found = optimize::fit(objective, model, design, *loss, settings);
  EXPECT_NEAR(found.values[0][0], 2e4, 0.01 * 2e4);
  EXPECT_NEAR(found.values[1][0], 6e4, 0.01 * 6e4);
  EXPECT_NEAR(found.values[2][0], 1400, 14);
}

// Without that an optimisation could not go on with the same bits.
TEST(Fit, AnEvaluationDependsOnItsPointAlone) {
  model::Model model = swinging_bar(4);
  jit::Engine engine;
  const auto loss = record(model, engine);
  const optimize::Design design(model,
                                {{"E", Quantity::parameter, {0}, false, {}, Scale::logarithmic, 1e3, 1e6, {3e4}},
                                 {"density", Quantity::density, {0}, false, {}, Scale::linear, 500, 3000, {1000}}});
  for (const int slow_modes : {0, 6}) {
    solve::Objective objective(model, engine, factor::Storage::fp32, slow_modes);
    const auto at = [&](double modulus, double share) {
      const std::vector<double> u = {std::log(modulus), share};
      const auto value = optimize::rollout_value(objective, model, design, *loss, {}, u).found;
      return std::vector<double>{value.value, value.gradient[0], value.gradient[1]};
    };
    const auto first = at(5e4, 0.5);
    for (const auto& [modulus, share] : {std::pair{5.5e4, 0.5}, {5e4, 0.6}, {9e5, 0.5}}) {
      at(modulus, share);
      EXPECT_EQ(at(5e4, 0.5), first) << modulus << " " << share << " " << slow_modes;
    }
  }
}

TEST(Fit, AnEvaluationGathersNoRoundingOfWhatMovesAsAWhole) {
  model::Model model = swinging_bar(3);
  bodies::stir(model, 0.1);
  jit::Engine engine;
  const auto loss = record(model, engine);
  const optimize::Design design(
      model, {{"velocity", Quantity::velocity, {0}, true, {}, Scale::linear, -3, 3, {0.1}},
              {"rest_shape", Quantity::rest_shape, {0}, true, {100, 101}, Scale::linear, -1, 1, {}}});
  solve::Objective objective(model, engine);
  const auto at = [&](double velocity) {
    auto u = std::vector<double>(design.start().begin(), design.start().end());
    u[0] = velocity;
    return optimize::rollout_value(objective, model, design, *loss, {}, u).found;
  };
  const auto first = at(0.1234567);
  for (const double velocity : {0.31, -0.27, 0.05}) at(velocity);
  const auto again = at(0.1234567);
  EXPECT_EQ(again.value, first.value);
  EXPECT_EQ(again.gradient, first.gradient);
}

TEST(Design, CarriesGradientsThroughScalesAndSharing) {
  model::Model model = swinging_bar(3);
  split(model);
  model.regions[1].parameters[1] = {0.3};
  jit::Engine engine;
  const auto loss = record(model, engine);
  const optimize::Design design(
      model,
      {{"E", Quantity::parameter, {1, 0}, true, {}, Scale::logarithmic, 1e3, 1e6, {2e4}},  // one a tet of both regions
       {"nu", Quantity::parameter, {0, 1}, false, {}, Scale::linear, 0.05, 0.48, {0.3}},   // shared
       {"mass", Quantity::density, {0, 1}, false, {}, Scale::logarithmic, 100, 5000, {1200}}});
  EXPECT_EQ(design.size(), mesh::elements(model.mesh, mesh::Shape::tetrahedron).count() + 2);
  solve::Objective objective(model, engine);
  const auto at = [&](std::span<const double> u) {
    design.apply(u, model);
    objective.set_values(model);
    return adjoint::rollout_gradient(objective, model, {.tolerance = 1e-13}, {.tolerance = 1e-12}, *loss,
                                     solve::initial_state(model));
  };
  std::vector<double> direction(design.size());
  for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = 0.5 * std::cos(1.3 * static_cast<double>(i));
  const auto gradient = at(design.start());
  const auto slopes = design.chain(design.start(), model, gradient);
  const auto report =
      optimize::taylor_test([&](std::span<const double> u) { return at(u).loss; }, design.start(), slopes, direction);
  EXPECT_TRUE(report.passed()) << optimize::table(report);
}

TEST(Design, KeepsValuesInsideTheirBounds) {
  const model::Model model = swinging_bar(1);
  const optimize::Design design(model,
                                {{"E", Quantity::parameter, {0}, false, {}, Scale::logarithmic, 1e3, 7e5, {4e4}}});
  EXPECT_EQ(design.physical(design.upper())[0][0], 7e5);
  EXPECT_EQ(design.physical(design.lower())[0][0], 1e3);
  EXPECT_NEAR(design.physical(design.start())[0][0], 4e4, 1e-9);
  model::Model changed = model;
  design.apply(design.upper(), changed);
  EXPECT_EQ(changed.regions[0].parameters, (std::vector<std::vector<double>>{{7e5}, {poisson}}));
}

TEST(Design, RefusesWhatCannotBeMeant) {
  model::Model model = swinging_bar(1);
  const Variable good{"E", Quantity::parameter, {0}, false, {}, Scale::logarithmic, 1e3, 1e6, {4e4}};
  const auto refuses = [&](const char* words, auto change) {
    Variable variable = good;
    change(variable);
    EXPECT_THAT([&] { optimize::Design(model, {variable}); }, ThrowsMessage<Error>(HasSubstr(words))) << words;
  };
  EXPECT_NO_THROW(optimize::Design(model, {good}));
  refuses("no such parameter", [](auto& v) { v.name = "stiffness"; });
  refuses("did you mean 'nu'", [](auto& v) { v.name = "nv"; });
  refuses("below its upper", [](auto& v) { v.lower = 2e6; });
  refuses("positive", [](auto& v) { v.lower = 0; });
  refuses("outside its bounds", [](auto& v) { v.start = {10}; });
  refuses("no region 3", [](auto& v) { v.objects = {3}; });
  refuses("for no region", [](auto& v) { v.objects = {}; });
  refuses("start values", [](auto& v) { v.start = {4e4, 4e4}; });
  refuses("open interval",
          [](auto& v) { v = {"nu", Quantity::parameter, {0}, false, {}, Scale::linear, 0.1, 0.5, {0.2}}; });
  refuses("two variables", [](auto& v) { v.objects = {0, 0}; });
  auto actuated = std::make_shared<ir::Energy>(*model.regions[0].energy);
  actuated->parameters[0].varies_in_time = true;
  model.regions.push_back(model.regions[0]);
  model.regions[1].energy = actuated;
  model.regions[1].signals = {{{0, 1e4}, {1, 2e4}}, {}};
  model.regions[1].overlay = true;
  model.regions[1].density = 0;
  refuses("given by key frames", [](auto& v) { v.objects = {1}; });
  refuses("no signal", [](auto& v) { v = {"E", Quantity::signal, {0}, false, {}, Scale::linear, 1, 1e6, {10}}; });
  refuses("no mass of its own",
          [](auto& v) { v = {"rho", Quantity::density, {1}, false, {}, Scale::linear, 1, 10, {1}}; });
  refuses("above 0", [](auto& v) { v = {"rho", Quantity::density, {0}, false, {}, Scale::linear, -1, 10, {1}}; });
}

}  // namespace
}  // namespace proxima
