// Pressure and fluids on the surface of a body against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/model/builtin_energies.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

using model::Vector3;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr solve::StepSettings exact{.tolerance = 1e-11};

std::vector<solve::State> run(const model::Model& model) {
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  return solve::simulate(objective, model, exact, solve::initial_state(model));
}

void press(model::Model& model, double pressure) {
  model::Region region;
  region.name = "pressure";
  region.energy = model::pressure_energy();
  region.elements = mesh::boundary_triangles(model.mesh);
  region.load = true;
  region.parameters = {{pressure}};
  model.regions.push_back(region);
}

// Of a cube of log_neo_hookean, E = 5e4 Pa and nu = 0.35, that is pressed from all sides: the principal stress is
// -p s^2 per area at rest, found by bisection.
double pressed_stretch(double pressure) {
  const double E = 5e4, nu = 0.35, mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
  double low = 0.2, high = 1;
  for (int i = 0; i < 100; ++i) {
    const double s = (low + high) / 2;
    const double excess = mu * (s - 1 / s) + lambda * std::log(s * s * s) / s + pressure * s * s;
    (excess > 0 ? high : low) = s;
  }
  return low;
}

TEST(PressurePotential, PressesABodyEvenly) {
  model::Model model = bodies::make_bar();
  model.time_step = 1e3;  // no inertia to speak of
  model.steps = 2;
  const double pressure = 2e4;
  press(model, pressure);
  const auto x = run(model).back().positions;
  const double stretch = pressed_stretch(pressure);
  ASSERT_LT(stretch, 0.95);
  // Nothing says how the body is turned: lengths between corners, along the edges and across.
  const auto length = [&](const std::vector<double>& at, std::size_t corner) {
    return std::hypot(at[3 * corner] - at[0], at[3 * corner + 1] - at[1], at[3 * corner + 2] - at[2]);
  };
  for (const std::size_t corner : {5, 12, 36, 53})
    EXPECT_NEAR(length(x, corner) / length(model.initial_positions, corner), stretch, 1e-8);
}

// On a closed surface the forces of the potential are those of the pressure on each triangle, wherever the origin is.
TEST(PressurePotential, HasTheForcesOfThePressureOnTheDeformedSurface) {
  model::Model model = bodies::make_bar();
  bodies::stir(model, 0.3);
  for (std::size_t i = 0; i < model.initial_positions.size(); ++i)
    model.initial_positions[i] += 3 + 0.01 * model.initial_velocities[i];
  const double pressure = 7;
  press(model, pressure);
  jit::Engine engine;
  const solve::Objective with(model, engine);
  model.regions.pop_back();
  const solve::Objective without(model, engine);
  const auto& x = model.initial_positions;
  std::vector<double> gradient(x.size()), elastic(x.size()), force(x.size());
  with.add_elastic_gradient(x, gradient);
  without.add_elastic_gradient(x, elastic);
  add_force(model::SurfaceLoad{mesh::boundary_triangles(model.mesh), model::FollowerPressure{{{0, pressure}}}}, 0, x,
            model.initial_velocities, force);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(elastic[i] - gradient[i], force[i], 1e-12);
  EXPECT_EQ(with.stored_energy(x), without.stored_energy(x));
}

TEST(PressurePotential, IsThereWhereTheRimIsHeld) {
  const mesh::Elements fan{mesh::Shape::triangle, 3, {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}};
  const mesh::Elements tet{mesh::Shape::triangle, 3, {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1}};
  EXPECT_TRUE(model::pressure_has_potential(fan, {1, 1, 1, 1, 0}));
  EXPECT_FALSE(model::pressure_has_potential(fan, {1, 1, 1, 0, 0}));
  EXPECT_TRUE(model::pressure_has_potential(tet, {0, 0, 0, 0}));
}

TEST(FollowerPressure, TurnsWithItsTriangle) {
  const model::SurfaceLoad load{{}, model::FollowerPressure{{{0, 0}, {1, 10}}}};
  const auto flat = model::triangle_force(load, {{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}}, {}, 0.5);
  EXPECT_EQ(flat, (Vector3{0, 0, -5}));
  const auto upright = model::triangle_force(load, {{{0, 0, 0}, {0, 2, 0}, {0, 0, 1}}}, {}, 2);
  EXPECT_EQ(upright, (Vector3{-10, 0, 0}));
}

model::Hydrodynamics water(double drag, double thrust) { return {1000, {0, 0, 0}, {{0, drag}}, {{0, thrust}}}; }

TEST(Hydrodynamics, PushesAlongTheFlowAndAgainstTheNormal) {
  const std::array<Vector3, 3> corners = {{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}};  // 1 m^2, normal along z
  const Vector3 velocity = {0.3, 0, -0.4};                                     // so u is (-0.3, 0, 0.4), 0.5 m/s
  auto fluid = water(0.8, 0);
  auto force = model::triangle_force({{}, fluid}, corners, velocity, 0);
  const double scale = 1000 * 0.25 / 2;
  EXPECT_NEAR(force[0], -0.6 * 0.8 * scale, 1e-12);
  EXPECT_NEAR(force[2], 0.8 * 0.8 * scale, 1e-12);
  // The angle of attack is asin(0.8).
  fluid.drag = {{0, 0}};
  fluid.thrust = {{-std::numbers::pi / 2, -1}, {std::numbers::pi / 2, 1}};
  force = model::triangle_force({{}, fluid}, corners, velocity, 0);
  EXPECT_EQ(force[0], 0);
  EXPECT_NEAR(force[2], -std::asin(0.8) / (std::numbers::pi / 2) * scale, 1e-12);
  EXPECT_EQ(model::triangle_force({{}, fluid}, corners, {}, 0), (Vector3{}));
}

// With the same drag on every triangle, weight and drag balance at v^2 = 2 m g/(rho A C_d).
TEST(Hydrodynamics, LetsABodySinkAtItsTerminalVelocity) {
  model::Model model = bodies::make_bar();
  model.gravity = {0, 0, -9.81};
  model.steps = 100;
  model.surface_loads = {{mesh::boundary_triangles(model.mesh), water(0.5, 0)}};
  const double mass = 0.1 * 0.04 * 0.04 * 1000, area = 4 * 0.1 * 0.04 + 2 * 0.04 * 0.04;
  const auto states = run(model);
  for (std::size_t i = 2; i < states.back().velocities.size(); i += 3)
    EXPECT_NEAR(states.back().velocities[i], -std::sqrt(2 * mass * 9.81 / (1000 * area * 0.5)), 5e-3);
}

TEST(SurfaceLoads, AreRefusedWhereTheyCannotBeServed) {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  model.surface_loads = {{mesh::boundary_triangles(model.mesh), water(0.5, 0)}};
  model.integrator = model::Integrator::quasi_static;
  EXPECT_THAT([&] { model::validate(model); }, ThrowsMessage<Error>(HasSubstr("quasi-static")));
  model.integrator = model::Integrator::implicit_euler;
  std::get<model::Hydrodynamics>(model.surface_loads[0].kind).drag = {{1, 0}, {1, 2}};
  EXPECT_THAT([&] { model::validate(model); }, ThrowsMessage<Error>(HasSubstr("they must increase")));
}

}  // namespace
}  // namespace proxima
