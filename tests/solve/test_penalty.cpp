// Contact by penalties: what it gives up against the law of contact, and that it comes near to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "compiler/support/error.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact/contact_methods.hpp"
#include "tests/solve/contact_run.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace proxima {
namespace {

using bodies::ContactScene;
using test::run;

model::Model block(ContactScene scene, model::Penalty penalty, int steps) {
  scene.penalty = penalty;
  auto model = bodies::make_block(scene);
  model.steps = steps;
  return model;
}

// The mean over all nodes, m.
double mean(const solve::State& state, std::size_t axis) {
  double sum = 0;
  for (std::size_t i = axis; i < state.positions.size(); i += 3) sum += state.positions[i];
  return sum / (static_cast<double>(state.positions.size()) / 3);
}

double largest_distance(const solve::State& a, const solve::State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i)
    largest = std::max(largest, std::abs(a.positions[i] - b.positions[i]));
  return largest;
}

// A body at rest sinks in until depth^(exponent - 1) times the stiffness carries it.
TEST(Penalty, DepthFallsWithStiffness) {
  const auto deepest = [](double stiffness, int exponent) {
    const auto [states, reports] = run(block({.young = 1e6}, {stiffness, exponent, 1e-3}, 60));
    return reports.back().contact.deepest;
  };
  const double soft = deepest(1e4, 2), stiff = deepest(1e5, 2), stiffest = deepest(1e6, 2);
  // Half a kilogram on 25 nodes.
  EXPECT_GT(soft, 4.9 / (25 * 1e4) / 2);
  EXPECT_LT(soft, 4.9 / (25 * 1e4) * 3);
  EXPECT_NEAR(soft / stiff, 10, 3);
  EXPECT_NEAR(stiff / stiffest, 10, 1.5);
  EXPECT_NEAR(deepest(1e9, 3) / deepest(1e11, 3), 10, 3);
}

TEST(Penalty, MotionsComeNearTheLawOfContact) {
  const ContactScene scene{.slope = 30, .friction = 0.3, .height = 0.001};
  auto exact = bodies::make_block(scene);
  exact.steps = 30;
  const auto wanted = run(exact).states.back();
  double before = INFINITY;
  for (const double stiffness : {1e4, 1e5, 1e6}) {
    const auto found = run(block(scene, {stiffness, 2, 1e-6 * stiffness / 1e4}, 30)).states.back();
    const double error = largest_distance(found, wanted);
    EXPECT_LT(error, before / 3) << stiffness;
    before = error;
  }
  EXPECT_LT(before, 1e-4);
}

// Friction that is relaxed by e lets a block slip at speed v on a slope that it would stay on:
// mu v / sqrt(v^2 + e^2) = tan(slope).
TEST(Penalty, ABlockCreepsAsFastAsFrictionIsRelaxed) {
  constexpr double friction = 0.5, slope = 10;
  for (const double slip_speed : {1e-2, 1e-3}) {
    const auto model = block({.slope = slope, .friction = friction}, {1e5, 2, slip_speed}, 200);
    const auto [states, reports] = run(model);
    const double moved = mean(states[200], 0) - mean(states[150], 0);
    const double share = std::tan(slope * std::numbers::pi / 180) / friction;
    EXPECT_NEAR(moved / 0.5, slip_speed * share / std::sqrt(1 - share * share), 1e-2 * slip_speed);
    EXPECT_EQ(reports.back().contact.stick, 25);
    EXPECT_EQ(reports.back().contact.slip, 0);
  }
}

// What is left unbalanced is what a step says it is: forces of penalties from positions alone.
TEST(Penalty, ForcesAreThoseOfTheFormula) {
  constexpr double stiffness = 1e7, slip_speed = 1e-2, friction = 0.4;
  auto model = block({.slope = 25, .friction = friction}, {stiffness, 3, slip_speed}, 5);
  const auto [states, reports] = run(model, {.tolerance = 1e-10});
  const solve::Objective objective(model, test::shared_engine());
  const auto mass = objective.mass();
  const double h = model.time_step;
  const auto &before = states[4], &after = states[5];
  std::vector<double> elastic(after.positions.size());
  objective.add_elastic_gradient(after.positions, elastic);
  for (std::size_t node = 0; node < mass.size(); ++node) {
    const auto x = mesh::vector_at(after.positions, node), v = mesh::vector_at(before.velocities, node);
    const auto moved = mesh::minus(x, mesh::vector_at(before.positions, node));
    const double pressed = stiffness * std::pow(std::max(0.0, -x[2]), 2);
    const double across = std::sqrt(moved[0] * moved[0] + moved[1] * moved[1] + std::pow(slip_speed * h, 2));
    for (std::size_t i = 0; i < 3; ++i) {
      const double left = mass[node] * ((moved[i] / h - v[i]) / h - model.gravity[i]) + elastic[3 * node + i];
      EXPECT_NEAR(left, i == 2 ? pressed : -friction * pressed * moved[i] / across, 1e-7);
    }
  }
}

class PenaltyMethods : public testing::TestWithParam<solve::MethodEntry> {};

TEST_P(PenaltyMethods, EndInTheSameState) {
  const auto model = block({.slope = 12, .friction = 0.4, .height = 0.001}, {1e6, 2, 1e-2}, 10);
  static const auto expected = run(model, {.tolerance = 1e-10}).states.back();
  solve::StepSettings settings{.tolerance = 1e-8};
  settings.solver.method = GetParam().method;
  if (GetParam().method == solve::Method::admm) {
    EXPECT_THAT(
        [&] { run(model, settings); },
        testing::ThrowsMessage<Error>(testing::HasSubstr("solver 'admm' has no form for contact by penalties")));
    return;
  }
  const auto found = run(model, settings);
  int newton = 0;
  for (const auto& report : found.reports) newton += report.contact.newton;
  EXPECT_EQ(newton > 0, solve::contact_method_row(GetParam().method).newton != solve::FaceSteps::never);
  EXPECT_LT(largest_distance(found.states.back(), expected), 1e-10);
}

std::string method_name(const testing::TestParamInfo<solve::MethodEntry>& entry) {
  return std::string(entry.param.name);
}
INSTANTIATE_TEST_SUITE_P(All, PenaltyMethods, testing::ValuesIn(solve::methods().begin(), solve::methods().end()),
                         method_name);

}  // namespace
}  // namespace proxima
