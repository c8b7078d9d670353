// Time integrators against closed forms and their orders: free fall, oscillation, equilibrium under a load.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/reference.hpp"

namespace proxima {
namespace {

using model::Integrator;

constexpr solve::StepSettings exact{.tolerance = 1e-11};

std::string name_of(const testing::TestParamInfo<Integrator>& chosen) {
  return std::string(model::integrator_row(chosen.param).name);
}

std::vector<solve::State> run(const model::Model& model, std::vector<solve::StepReport>* reports = nullptr) {
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  return solve::simulate(objective, model, exact, solve::initial_state(model),
                         [&](int, const solve::State&, const solve::StepReport& report) {
                           if (reports) reports->push_back(report);
                         });
}

constexpr double gravity = -9.81;

// A body that falls from rest, after n steps of h.
double fallen(Integrator integrator, double h, int n) {
  // BDF2 is exact on a parabola but for its first step, by implicit Euler; the error of that goes on by
  // e_{n+1} = (4 e_n - e_{n-1})/3.
  if (integrator == Integrator::bdf2) return gravity * h * h * (0.5 * n * n + 0.75 * (1 - std::pow(3.0, -n)));
  return gravity * h * h * n * (n + 1) / 2;
}

class Moving : public testing::TestWithParam<Integrator> {};

TEST_P(Moving, FallsAsItsRecurrenceSays) {
  model::Model model = bodies::make_bar();
  model.integrator = GetParam();
  model.gravity = {0, 0, gravity};
  model.steps = 10;
  const double h = model.time_step;
  const auto states = run(model);
  for (int n = 0; n <= model.steps; ++n)
    for (std::size_t i = 0; i < states[n].positions.size(); ++i) {
      const bool down = i % 3 == 2;
      EXPECT_NEAR(states[n].positions[i] - model.initial_positions[i], down ? fallen(GetParam(), h, n) : 0, 1e-12);
      EXPECT_NEAR(states[n].velocities[i], down ? gravity * h * n : 0, 1e-10);
    }
}

// A held bar that swings along and across: the error against twice as many steps falls with the order in h.
TEST_P(Moving, ConvergesWithItsOrder) {
  const double order = GetParam() == Integrator::bdf2 ? 2 : 1;
  std::vector<std::vector<double>> ends;
  for (const int refine : {1, 2, 4}) {
    model::Model model = bodies::make_bar();
    model.integrator = GetParam();
    bodies::hold_end(model, false);
    for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
      const double bent = std::sin(M_PI / 0.2 * model.mesh.nodes[node][0]);
      model.initial_velocities[3 * node] = 0.05 * bent;
      model.initial_velocities[3 * node + 2] = 0.1 * bent;
    }
    model.time_step = 2e-4 / refine;
    model.steps = 60 * refine;
    ends.push_back(run(model).back().positions);
  }
  const auto distance = [&](std::size_t a, std::size_t b) {
    std::vector<double> difference = ends[a];
    device::add_scaled(difference, -1, ends[b]);
    return device::norm(difference);
  };
  EXPECT_NEAR(std::log2(distance(0, 1) / distance(1, 2)), order, 0.15);
  EXPECT_GT(distance(0, 1), 1e-7);
}

TEST_P(Moving, StaysAtRestWithoutAnIteration) {
  model::Model model = bodies::make_bar();
  model.integrator = GetParam();
  model.steps = 3;
  std::vector<solve::StepReport> reports;
  const auto states = run(model, &reports);
  EXPECT_EQ(states.back().positions, model.initial_positions);
  for (const auto& report : reports) EXPECT_EQ(report.iterations, 0);
}

TEST_P(Moving, GivesTheSameBitsAfterARestart) {
  model::Model model = bodies::make_mixed_scene(6);
  model.integrator = GetParam();
  const auto whole = run(model);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  solve::State state{whole[3].positions, whole[3].velocities, whole[3].history, whole[2].positions,
                     whole[2].velocities};
  for (int step = 3; step < model.steps; ++step) solve::advance(objective, model, step, exact, state);
  EXPECT_EQ(state.positions, whole.back().positions);
  EXPECT_EQ(state.velocities, whole.back().velocities);
}

// A bar swings about a held end for more than a period of its slowest motion.
TEST_P(Moving, NeverGainsEnergyAndLosesLittleWhereTheOrderIsHigh) {
  model::Model model = bodies::make_bar();
  model.integrator = GetParam();
  bodies::hold_end(model, false);
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node)
    model.initial_velocities[3 * node + 2] = 0.2 * std::pow(model.mesh.nodes[node][0] / 0.1, 2);
  model.time_step = 2e-3;
  model.steps = 150;
  const auto mass = model::lumped_mass(model);
  double last = 0;
  for (std::size_t i = 0; i < model.initial_velocities.size(); ++i)
    last += mass[i / 3] * std::pow(model.initial_velocities[i], 2) / 2;
  const double first = last;
  std::vector<solve::StepReport> reports;
  run(model, &reports);
  for (const auto& report : reports) {
    const double energy = report.elastic_energy + report.kinetic_energy;
    EXPECT_LT(energy, last * (1 + 1e-9));
    last = energy;
  }
  if (GetParam() == Integrator::bdf2)
    EXPECT_GT(last, 0.8 * first);
  else
    EXPECT_LT(last, 0.5 * first);
}

TEST(Bdf2, GivesTheSameBitsForAnyNumberOfThreadsWithDamping) {
  // Large enough for every loop to be cut into several tasks.
  model::Model model = bodies::make_mixed_scene(2, 7);
  model.integrator = Integrator::bdf2;
  model.regions[0].damping.mass = 1;
  for (auto& region : model.regions) region.damping.stiffness = {1e-3};
  const int before = device::threads();
  std::vector<std::vector<double>> found;
  jit::Engine engine;
  for (const int threads : {1, 2, 3}) {
    device::set_threads(threads);
    const solve::Objective objective(model, engine);
    found.push_back(
        solve::simulate(objective, model, {.tolerance = 1e-4}, solve::initial_state(model)).back().positions);
  }
  device::set_threads(before);
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

TEST(MomentumReport, SumsOverNodes) {
  model::Model model = bodies::make_bar();
  bodies::stir(model, 0.5);
  std::vector<solve::StepReport> reports;
  const auto states = run(model, &reports);
  const auto mass = model::lumped_mass(model);
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
  for (std::size_t n = 0; n < mass.size(); ++n) {
    const Eigen::Map<const Eigen::Vector3d> x(&states[1].positions[3 * n]), v(&states[1].velocities[3 * n]);
    momentum += mass[n] * v;
    angular += mass[n] * x.cross(v);
  }
  for (long i = 0; i < 3; ++i) {
    EXPECT_NEAR(reports[0].momentum[static_cast<std::size_t>(i)], momentum[i], 1e-14);
    EXPECT_NEAR(reports[0].angular_momentum[static_cast<std::size_t>(i)], angular[i], 1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, Moving, testing::Values(Integrator::implicit_euler, Integrator::bdf2), name_of);

TEST(MassDamping, SlowsAFallAsItsRecurrenceSays) {
  model::Model model = bodies::make_bar();
  model.gravity = {0, 0, gravity};
  model.regions[0].damping.mass = 3;
  model.steps = 10;
  const double h = model.time_step;
  const auto states = run(model);
  double z = 0, v = 0;
  for (int n = 0; n <= model.steps; ++n) {
    EXPECT_NEAR(v, gravity / 3 * (1 - std::pow(1 + 3 * h, -n)), 1e-13);
    for (std::size_t i = 2; i < states[n].positions.size(); i += 3) {
      EXPECT_NEAR(states[n].positions[i] - model.initial_positions[i], z, 1e-12);
      EXPECT_NEAR(states[n].velocities[i], v, 1e-10);
    }
    v = (v + h * gravity) / (1 + 3 * h);
    z += h * v;
  }
}

model::Model hanging_bar() {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  model.gravity = {2, 0, -1};
  model.integrator = Integrator::quasi_static;
  return model;
}

TEST(QuasiStatic, IsInEquilibriumAtRestAndStaysThere) {
  model::Model model = hanging_bar();
  model.steps = 3;
  std::vector<solve::StepReport> reports;
  const auto states = run(model, &reports);
  const bodies::ReferenceSimulator reference(model);
  const auto size = static_cast<long>(states[1].positions.size());
  const Eigen::VectorXd internal =
      reference.gradient(Eigen::Map<const Eigen::VectorXd>(states[1].positions.data(), size));
  const double weight = reference.mass().sum() / 3 * std::hypot(2.0, 1.0);
  for (long i = 0; i < size; ++i) {
    if (model.mesh.nodes[static_cast<std::size_t>(i / 3)][0] < 1e-9) continue;
    EXPECT_NEAR(internal[i], reference.mass()[i] * model.gravity[i % 3], 1e-9 * weight);
  }
  EXPECT_GT(reports[0].iterations, 0);
  EXPECT_EQ(reports[1].iterations, 0);
  EXPECT_EQ(states[3].positions, states[1].positions);
  EXPECT_THAT(states[1].velocities, testing::Each(0));
}

// Without lambda the log-barrier material has no lateral contraction, and a bar pulled by T (Pa at rest) at its end is
// stretched evenly by l: mu (l - 1/l) = T. Forces in the share of each node in the area of the end.
TEST(QuasiStatic, StretchesABarUnderAnEndLoadByItsClosedForm) {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  model.integrator = Integrator::quasi_static;
  const double mu = model.regions[0].parameters[0][0], traction = 0.6 * mu;
  model.regions[0].parameters[1] = {1e-12};
  const auto surface = mesh::boundary_triangles(model.mesh);
  for (std::size_t t = 0; t < surface.count(); ++t) {
    const auto triangle = surface.of(t);
    double least = 1;
    for (const auto node : triangle) least = std::min(least, model.mesh.nodes[static_cast<std::size_t>(node)][0]);
    if (least < 0.1 - 1e-9) continue;
    const double area = 0.02 * 0.02 / 2;
    for (const auto node : triangle) model.forces.push_back({{node}, {traction * area / 3, 0, 0}, 0, 1});
  }
  const double stretch = 0.3 + std::sqrt(0.09 + 1);  // of l - 1/l = 0.6
  const auto found = run(model).back().positions;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], model.initial_positions[i] * (i % 3 == 0 ? stretch : 1), 1e-10);
}

TEST(QuasiStatic, IsTheLimitOfADampedMotion) {
  model::Model still = hanging_bar(), damped = hanging_bar();
  damped.integrator = Integrator::implicit_euler;
  damped.regions[0].damping.mass = 60;
  damped.time_step = 0.02;
  damped.steps = 120;
  const auto wanted = run(still).back().positions, found = run(damped).back().positions;
  double moved = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(found[i], wanted[i], 1e-8);
    moved = std::max(moved, std::abs(wanted[i] - still.initial_positions[i]));
  }
  EXPECT_GT(moved, 1e-3);
}

TEST(QuasiStatic, RefusesAPieceThatCanMoveByItsFirstNode) {
  const auto refusal = [](const model::Model& model) {
    return testing::AllOf(
        testing::HasSubstr(fmt::format("the piece of {} nodes that begins with node 0", model.mesh.nodes.size())),
        testing::HasSubstr("no equilibrium"));
  };
  model::Model model = bodies::make_bar();
  model.integrator = Integrator::quasi_static;
  EXPECT_THAT([&] { model::validate(model); }, testing::ThrowsMessage<Error>(refusal(model)));
  // The nodes along an edge of the bar: it can still turn about it.
  model::Dirichlet edge;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node)
    if (model.mesh.nodes[node][1] == 0 && model.mesh.nodes[node][2] == 0)
      edge.nodes.push_back(static_cast<std::int32_t>(node));
  ASSERT_GT(edge.nodes.size(), 2u);
  model.dirichlet = {edge};
  EXPECT_THAT([&] { model::validate(model); },
              testing::ThrowsMessage<Error>(testing::AllOf(refusal(model), testing::HasSubstr("in a line"))));
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node)
    if (model.mesh.nodes[node][1] > 0.03) {
      model.dirichlet[0].nodes.push_back(static_cast<std::int32_t>(node));
      break;
    }
  EXPECT_NO_THROW(model::validate(model));
}

class OneTet : public testing::TestWithParam<Integrator> {};

TEST_P(OneTet, IsStepped) {
  model::Model model = bodies::make_tet();
  model.gravity = {0, 0, gravity};
  model.integrator = GetParam();
  model.steps = 3;
  if (!model::integrator_row(GetParam()).inertia) model.dirichlet = {{{0, 1, 2}, {}, {}}};
  const auto states = run(model);
  if (model::integrator_row(GetParam()).inertia) {
    for (std::size_t i = 2; i < 12; i += 3)
      EXPECT_NEAR(states[3].positions[i], model.initial_positions[i] + fallen(GetParam(), model.time_step, 3), 1e-12);
  } else {
    // A column of volume 1/6 under a quarter of its weight: P = mu (J - 1/J) + lambda ln(J)/J, P times the face is it.
    const double J = states[3].positions[11], mu = model.regions[0].parameters[0][0],
                 lambda = model.regions[0].parameters[1][0];
    EXPECT_NEAR((mu * (J - 1 / J) + lambda * std::log(J) / J) / 6, 1000 / 6.0 / 4 * gravity, 1e-7);
    EXPECT_LT(J, 0.99);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, OneTet,
                         testing::Values(Integrator::implicit_euler, Integrator::bdf2, Integrator::quasi_static),
                         name_of);

}  // namespace
}  // namespace proxima
