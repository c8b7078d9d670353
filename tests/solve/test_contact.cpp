#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "runtime/contact/detection.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "runtime/solve/contact/contact_methods.hpp"
#include "runtime/solve/objective/contacts.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_run.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace proxima {
namespace {

using bodies::ContactScene;
using mesh::Vector3;

using test::run;

jit::Engine& engine() { return test::shared_engine(); }

Vector3 centre_of_mass(const model::Model& model, const solve::State& state) {
  const auto mass = model::lumped_mass(model);
  Vector3 centre{};
  double total = 0;
  for (std::size_t node = 0; node < mass.size(); ++node) {
    total += mass[node];
    for (std::size_t i = 0; i < 3; ++i) centre[i] += mass[node] * state.positions[3 * node + i];
  }
  return mesh::scaled(1 / total, centre);
}

model::Model with_steps(model::Model model, int steps) {
  model.steps = steps;
  return model;
}

TEST(Contact, ABlockStaysOnASlopeBelowTheFrictionAngle) {
  const auto model = with_steps(bodies::make_block({.slope = 10, .friction = 0.5}), 1000);
  const auto [states, reports] = run(model);
  const auto settled = centre_of_mass(model, states[100]), end = centre_of_mass(model, states.back());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(settled[i], end[i], 1e-9);
  EXPECT_EQ(reports.back().contact.slip, 0);
  EXPECT_EQ(reports.back().contact.stick, 25);
}

// The distance of a rigid block in the same steps of implicit Euler, a h^2 n (n + 1)/2, and, for the finer ones, that
// of the formula, a t^2/2.
TEST(Contact, ABlockSlidesByTheFormulaAboveTheFrictionAngle) {
  constexpr double slope = 30, friction = 0.3;
  const double angle = slope * std::numbers::pi / 180;
  const double acceleration = 9.81 * (std::sin(angle) - friction * std::cos(angle));
  const auto distance = [&](double time_step, int steps) {
    auto model = with_steps(bodies::make_block({.slope = slope, .friction = friction}), steps);
    model.time_step = time_step;
    const auto [states, reports] = run(model);
    EXPECT_EQ(reports.back().contact.stick, 0);
    return centre_of_mass(model, states.back())[0] - centre_of_mass(model, states.front())[0];
  };
  const double moved = distance(0.01, 100);
  EXPECT_NEAR(moved, acceleration * 1e-4 * 100 * 101 / 2, 1e-3 * moved);
  EXPECT_NEAR(distance(0.005, 200), acceleration / 2, 1e-2 * acceleration / 2);
}

TEST(Contact, ABlockSlidesWhereTwoCoefficientsOfFrictionLetIt) {
  constexpr double along = 0.2, across = 0.5, acceleration = 1.5, turned = 0.6, pressed = 8.5;
  const Vector3 axis = {std::cos(turned), std::sin(turned), 0}, other = {-std::sin(turned), std::cos(turned), 0};
  ContactScene scene{.friction = along};
  scene.across = across;
  scene.direction = {2 * axis[0], 2 * axis[1], 0.7};  // what points out of the plane does not count
  const Vector3 way = {std::cos(1.1), std::sin(1.1), 0};
  Vector3 squeezed = mesh::scaled(along * along * mesh::dot(way, axis), axis);
  mesh::add(squeezed, across * across * mesh::dot(way, other), other);
  Vector3 friction = mesh::scaled(pressed / std::sqrt(mesh::dot(way, squeezed)), squeezed);
  auto model = with_steps(bodies::make_block(scene), 60);
  model.gravity = friction;
  mesh::add(model.gravity, acceleration, way);
  model.gravity[2] = -pressed;
  const auto [states, reports] = run(model);
  const Vector3 moved = mesh::minus(centre_of_mass(model, states.back()), centre_of_mass(model, states.front()));
  const double distance = acceleration * 1e-4 * 60 * 61 / 2;
  EXPECT_NEAR(mesh::dot(moved, way), distance, 2e-3 * distance);
  EXPECT_NEAR(mesh::dot(moved, mesh::cross({0, 0, 1}, way)), 0, 2e-3 * distance);
  EXPECT_EQ(reports.back().contact.stick, 0);

  model.gravity = mesh::scaled(0.9, friction);
  model.gravity[2] = -pressed;
  const auto stays = run(model);
  EXPECT_EQ(stays.reports.back().contact.stick, 25);
  const auto half = centre_of_mass(model, stays.states[30]), end = centre_of_mass(model, stays.states.back());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(half[i], end[i], 1e-6);
}

// A surface with a direction of its own: at right angles to the obstacle's friction is one coefficient in all
// directions, along it those of an ellipse. A stiff block, since what it is strained by turns its directions.
TEST(Contact, DirectionsOfBothSidesSayWhatFrictionIs) {
  const auto end_of = [](ContactScene scene) {
    scene.slope = 30;
    scene.young = 1e7;
    const auto model = with_steps(bodies::make_block(scene), 40);
    return centre_of_mass(model, run(model).states.back());
  };
  const auto expect_same = [](const Vector3& a, const Vector3& b) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 5e-4);
  };
  ContactScene crossed{.friction = 0.1};
  crossed.across = 0.5;
  crossed.direction = {1, 0.5, 0};
  crossed.own_direction = {0.5, -1, 0.2};
  crossed.crossed = 0.3;
  const auto round = end_of({.friction = 0.3});
  expect_same(end_of(crossed), round);
  ContactScene parallel = crossed;
  parallel.own_direction = {-2, -1, 0.2};
  ContactScene elliptic = crossed;
  elliptic.own_direction = {};
  elliptic.crossed = 0;
  const auto aside = end_of(elliptic);
  expect_same(end_of(parallel), aside);
  EXPECT_GT(std::abs(aside[1] - round[1]), 0.01);
}

// A block that has only fallen has no slip to tell the direction of one from.
TEST(Contact, NothingSticksWithoutFriction) {
  const auto [states, reports] = run(with_steps(bodies::make_block({}), 3));
  for (const auto& report : reports) {
    EXPECT_EQ(report.contact.stick, 0);
    EXPECT_EQ(report.contact.slip, 25);
  }
}

class DroppedBlock : public testing::TestWithParam<double> {};

TEST_P(DroppedBlock, ComesToRestWithoutSinking) {
  const auto model = with_steps(bodies::make_block({.friction = 0.5, .young = GetParam(), .height = 0.05}), 1000);
  const auto [states, reports] = run(model);
  double energy = INFINITY;
  const auto mass = model::lumped_mass(model);
  for (std::size_t k = 0; k < reports.size(); ++k) {
    EXPECT_LT(reports[k].contact.deepest, 1e-6 * 0.1) << "step " << k + 1;
    EXPECT_EQ(reports[k].substeps, 1) << "step " << k + 1;
    const double now = reports[k].kinetic_energy + reports[k].elastic_energy +
                       9.81 * centre_of_mass(model, states[k + 1])[2] * device::sum(mass);
    EXPECT_LT(now, energy * (1 + 1e-9)) << "step " << k + 1;
    energy = now;
  }
  EXPECT_NEAR(centre_of_mass(model, states[200])[2], centre_of_mass(model, states.back())[2], 1e-9);
  EXPECT_LE(reports.back().a_solves, 4);
}

std::string young_name(const testing::TestParamInfo<double>& scene) {
  return fmt::format("Young1e{:.0f}", std::log10(scene.param));
}
INSTANTIATE_TEST_SUITE_P(Young, DroppedBlock, testing::Values(1e5, 1e6, 1e7), young_name);

// The law itself, checked from positions and the energy alone: what the elements and inertia leave unbalanced at a node
// is the force of contact there.
class LawOfContact : public testing::TestWithParam<ContactScene> {};

TEST_P(LawOfContact, HoldsAtEachNode) {
  auto model = with_steps(bodies::make_block(GetParam()), 15);
  for (std::size_t i = 0; i < model.initial_velocities.size(); ++i)
    model.initial_velocities[i] = (i % 3 == 0 ? 0.2 : 0.05) * (i % 3 == 2 ? 0 : 1) + 0.02 * std::sin(double(i));
  const auto [states, reports] = run(model, {.tolerance = 1e-10});
  const solve::Objective objective(model, engine());
  const auto mass = objective.mass();
  const double h = model.time_step, weight = 9.81 * device::sum(mass);
  int stick = 0, slip = 0;
  for (std::size_t k = 0; k + 1 < states.size(); ++k) {
    const auto& [before, after] = std::tie(states[k], states[k + 1]);
    ASSERT_EQ(reports[k].substeps, 1);
    std::vector<double> elastic(after.positions.size());
    objective.add_elastic_gradient(after.positions, elastic);
    for (std::size_t node = 0; node < mass.size(); ++node) {
      Vector3 x{}, moved{}, force{};
      for (std::size_t i = 0; i < 3; ++i) {
        x[i] = after.positions[3 * node + i];
        moved[i] = x[i] - before.positions[3 * node + i];
        force[i] = mass[node] * ((moved[i] / h - before.velocities[3 * node + i]) / h - model.gravity[i]) +
                   elastic[3 * node + i];
      }
      const Vector3 from = GetParam().ball ? mesh::minus(x, {0.05, 0.05, -0.1}) : Vector3{0, 0, x[2]};
      const double gap = GetParam().ball ? mesh::norm(from) - 0.1 : x[2];
      const Vector3 normal = GetParam().ball ? mesh::scaled(1 / mesh::norm(from), from) : Vector3{0, 0, 1};
      const double pressed = mesh::dot(force, normal), along = mesh::dot(moved, normal);
      const Vector3 tangential = mesh::minus(force, mesh::scaled(pressed, normal)),
                    slipped = mesh::minus(moved, mesh::scaled(along, normal));
      EXPECT_GT(gap, -1e-9);
      EXPECT_GT(pressed, -1e-7 * weight);
      EXPECT_LT(gap * pressed, 1e-9 * weight);
      const double limit = GetParam().friction * pressed;
      EXPECT_LT(mesh::norm(tangential), limit + 1e-7 * weight);
      if (pressed < 1e-4 * weight || limit == 0) continue;
      if (mesh::norm(slipped) < 1e-10) {
        ++stick;
      } else {
        ++slip;
        // Against the slip, with all that friction has.
        EXPECT_NEAR(mesh::dot(tangential, slipped), -limit * mesh::norm(slipped), 1e-5 * weight * mesh::norm(slipped));
      }
    }
  }
  if (GetParam().friction > 0) {
    EXPECT_GT(stick, 0);
    EXPECT_GT(slip, 0);
  }
}

constexpr ContactScene scenes[] = {{.height = 0.005},
                                   {.slope = 10, .friction = 0.4, .height = 0.005},
                                   {.slope = 12, .friction = 0.5, .young = 1e6},
                                   {.friction = 0.3, .height = 0.002, .ball = true}};
std::string scene_name(const testing::TestParamInfo<ContactScene>& scene) {
  constexpr const char* names[] = {"Frictionless", "Landing", "Stiff", "Ball"};
  return names[scene.index];
}
INSTANTIATE_TEST_SUITE_P(Scenes, LawOfContact, testing::ValuesIn(scenes), scene_name);

TEST(Contact, RestitutionGivesBackItsShareOfTheSpeed) {
  constexpr double e = 0.6;
  // Stiff, so that the block does not store what it brings.
  const auto model = with_steps(bodies::make_block({.restitution = e, .young = 1e8, .height = 0.05}), 30);
  const auto [states, reports] = run(model);
  bool bounced = false;
  for (std::size_t k = 0; k + 1 < states.size() && !bounced; ++k) {
    const double before = centre_of_mass(model, states[k + 1])[2] - centre_of_mass(model, states[k])[2];
    if (reports[k].contact.slip + reports[k].contact.stick == 0) continue;
    bounced = true;
    const double fell = centre_of_mass(model, states[k])[2] - centre_of_mass(model, states[k - 1])[2];
    EXPECT_NEAR(before, -e * fell, 1e-3 * std::abs(fell));
  }
  EXPECT_TRUE(bounced);
}

TEST(Contact, RestitutionIsTheSameWhetherTheBodyOrTheObstacleMoves) {
  constexpr double speed = 1, gap = 0.0103;
  auto thrown = with_steps(bodies::make_block({.friction = 0.2, .restitution = 0.5, .young = 1e6, .height = gap}), 40);
  thrown.gravity = {};
  thrown.time_step = 0.001;
  auto hit = thrown;
  for (std::size_t i = 2; i < thrown.initial_velocities.size(); i += 3) thrown.initial_velocities[i] = -speed;
  const double time = thrown.time_step * thrown.steps;
  hit.obstacles[0].motion = {{.time = 0}, {.time = time, .translation = {0, 0, speed * time}}};
  const auto expected = run(thrown, {.tolerance = 1e-10}), found = run(hit, {.tolerance = 1e-10});
  for (std::size_t k = 0; k < expected.states.size(); ++k) {
    const double way = speed * thrown.time_step * static_cast<double>(k);
    EXPECT_NEAR(centre_of_mass(hit, found.states[k])[2], centre_of_mass(thrown, expected.states[k])[2] + way, 1e-9)
        << k;
  }
  const double before = centre_of_mass(thrown, expected.states[39])[2];
  EXPECT_GT(centre_of_mass(thrown, expected.states[40])[2] - before,
            0.03 * speed * thrown.time_step);  // it does bounce
}

// Between the ground and a press that comes down to it, where no step stays in the domain of a logarithm of J.
TEST(Contact, ABodyThatHasNoRoomLeftIsAnErrorThatSaysWhere) {
  model::Model model;
  test::add_body(model, mesh::make_box({2, 2, 2}, {0, 0, 0}, {0.1, 0.1, 0.1}));
  bodies::fill_with_solid(model, 1e5);
  const auto half_space = model::AnalyticDistance{model::obstacle_shape("half_space"), {}};
  const mesh::Vector3 over = {std::numbers::pi, 0, 0};
  model::Obstacle ground{.name = "ground", .shape = half_space, .motion = {{}}};
  model::Obstacle press{.name = "press",
                        .shape = half_space,
                        .motion = {{.time = 0, .translation = {0, 0, 0.101}, .rotation = over},
                                   {.time = 0.15, .translation = {0, 0, -0.03}, .rotation = over}}};
  model.obstacles = {ground, press};
  model.contacts = {{}, {.other = 1}};
  model.gravity = {0, 0, -9.81};
  model.time_step = 0.01;
  model.steps = 20;
  try {
    run(model, {.tolerance = 1e-6, .max_substeps = 8});
    FAIL() << "it went through";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("contacts not resolved"));
    EXPECT_THAT(error.what(), testing::HasSubstr("the most compressed element is tet"));
  }
}

// Each method with each way to solve the problems between contacts.
struct Pairing {
  solve::MethodEntry method;
  contact::CondensedEntry condensed;
};

class ContactMethods : public testing::TestWithParam<Pairing> {};

TEST_P(ContactMethods, EndInTheSameState) {
  const auto& [method, condensed] = GetParam();
  const auto model = with_steps(bodies::make_block({.slope = 12, .friction = 0.4, .height = 0.004}), 10);
  static const auto expected = run(model, {.tolerance = 1e-10}).states.back().positions;
  solve::StepSettings settings{.tolerance = 1e-8};
  settings.solver.method = method.method;
  settings.contact.condensed = condensed.method;
  const auto found = run(model, settings);
  int newton = 0, halved = 0;
  for (const auto& report : found.reports) {
    newton += report.contact.newton;
    halved += report.substeps - 1;
  }
  EXPECT_EQ(newton > 0, solve::contact_method_row(method.method).newton != solve::FaceSteps::never);
  EXPECT_EQ(halved, 0);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found.states.back().positions[i], expected[i], 1e-10);
}

std::vector<Pairing> pairings() {
  std::vector<Pairing> result;
  for (const auto& method : solve::methods())
    for (const auto& condensed : contact::condensed_methods()) result.push_back({method, condensed});
  return result;
}

std::string pairing_name(const testing::TestParamInfo<Pairing>& pairing) {
  return fmt::format("{}_{}", pairing.param.method.name, pairing.param.condensed.name);
}
INSTANTIATE_TEST_SUITE_P(All, ContactMethods, testing::ValuesIn(pairings()), pairing_name);

// Steps with the matrix between contacts stored and without it, for contacts that stick, slip, bounce and turn.
TEST(Contact, EndsInTheSameStateMatrixFree) {
  for (const auto& scene : {bodies::ContactScene{.slope = 10, .friction = 0.5, .refine = 2},
                            bodies::ContactScene{.slope = 30, .friction = 0.3, .height = 0.002, .refine = 2},
                            bodies::ContactScene{.slope = 10, .height = 0.002},
                            bodies::ContactScene{.friction = 0.3, .restitution = 0.5, .height = 0.01},
                            bodies::ContactScene{.friction = 0.3, .height = 0.002, .refine = 2, .ball = true}}) {
    const auto model = with_steps(bodies::make_block(scene), 8);
    solve::StepSettings stored{.tolerance = 1e-10}, free = stored;
    stored.contact.matrix = contact::CondensedStorage::stored;
    free.contact.matrix = contact::CondensedStorage::matrix_free;
    const auto expected = run(model, stored), found = run(model, free);
    for (std::size_t k = 0; k < found.reports.size(); ++k) {
      EXPECT_EQ(found.reports[k].substeps, expected.reports[k].substeps);
      EXPECT_EQ(found.reports[k].contact.stick, expected.reports[k].contact.stick);
      EXPECT_EQ(found.reports[k].contact.slip, expected.reports[k].contact.slip);
    }
    const auto& a = found.states.back().positions;
    const auto& b = expected.states.back().positions;
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-10);
  }
}

TEST(Contact, StaticFrictionHoldsWhatIsPressed) {
  auto model = with_steps(bodies::make_block({.slope = 60, .friction = INFINITY}), 30);
  const auto [states, reports] = run(model);
  for (std::size_t k = 5; k < reports.size(); ++k) EXPECT_EQ(reports[k].contact.slip, 0);
  EXPECT_GT(reports.back().contact.stick, 0);
  EXPECT_NEAR(centre_of_mass(model, states.back())[0], centre_of_mass(model, states.front())[0], 0.01);
}

// Asked for less than there is, a step ends where rounding of positions keeps it, whole.
TEST(Contact, AStepEndsAtTheRoundingOfPositions) {
  const auto model = with_steps(bodies::make_block({.slope = 20, .friction = 0.4, .height = 0.004}), 8);
  const auto [states, reports] = run(model, {.tolerance = 1e-30, .attainable = 0});
  for (const auto& report : reports) {
    EXPECT_EQ(report.substeps, 1);
    EXPECT_LT(report.residual, 1e-6);
  }
  EXPECT_GT(reports.back().contact.slip, 0);
}

TEST(Contact, GivesTheSameBitsForAnyNumberOfThreads) {
  const auto model = with_steps(bodies::make_block({.slope = 20, .friction = 0.4, .height = 0.004, .refine = 2}), 8);
  for (const auto storage : {contact::CondensedStorage::stored, contact::CondensedStorage::matrix_free}) {
    solve::StepSettings settings{.tolerance = 1e-8};
    settings.contact.matrix = storage;
    device::set_threads(1);
    const auto one = run(model, settings).states.back().positions;
    device::set_threads(2);
    EXPECT_EQ(run(model, settings).states.back().positions, one);
  }
  device::set_threads(0);
}

TEST(Contact, AStepIsAFunctionOfItsArguments) {
  const auto model = with_steps(bodies::make_block({.slope = 20, .friction = 0.4, .height = 0.004}), 8);
  const auto whole = run(model).states;
  const solve::Objective objective(model, engine());
  solve::State state = whole[5];
  for (int step = 5; step < 8; ++step) solve::advance(objective, model, step, {.tolerance = 1e-8}, state);
  EXPECT_EQ(state.positions, whole[8].positions);
  EXPECT_EQ(state.velocities, whole[8].velocities);
}

}  // namespace
}  // namespace proxima
