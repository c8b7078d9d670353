// Gradients of rollouts by every integrator, with damping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

constexpr int steps = 5;
constexpr solve::StepSettings exact{.tolerance = 1e-13};
constexpr adjoint::AdjointSettings exact_adjoint{.tolerance = 1e-12, .max_cg = 5000};

class IntegratorGradients : public testing::TestWithParam<model::Integrator> {
 protected:
  void SetUp() override {
    model.integrator = GetParam();
    model.regions[0].damping.mass = 4;
    model.regions[1].damping.mass = 1;
    for (std::size_t e = 0; e < model.regions[0].elements.count(); ++e)
      model.regions[0].damping.stiffness.push_back(2e-3 * (1.5 + std::sin(static_cast<double>(e))));
    model.regions[1].damping.stiffness = {4e-3};
  }
  double loss_of(const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); }
  template <class Apply>
  void check(std::span<const double> x, std::span<const double> slope, std::span<const double> direction, Apply apply) {
    test::expect_gradient(
        model, [&](const model::Model& changed) { return loss_of(changed); }, x, slope, direction, apply);
  }

  // Positions in three frames, velocities in two.
  class Loss : public adjoint::Loss {
   public:
    explicit Loss(const std::vector<double>& rest)
        : recorded_({{1, rest}, {2, rest}, {steps, rest}}, adjoint::uniform_weights(rest.size() / 3)) {}
    double frame(int frame, std::span<const double> x, std::span<const double> v, std::span<double> by_x,
                 std::span<double> by_v) const override {
      double value = recorded_.frame(frame, x, v, by_x, by_v);
      if (frame != steps && frame != 1) return value;
      for (std::size_t i = 0; i < v.size(); ++i) {
        value += 1e-5 * v[i] * v[i];
        if (!by_v.empty()) by_v[i] += 2e-5 * v[i];
      }
      return value;
    }
    int last_frame() const override { return steps; }

   private:
    adjoint::RecordedMotion recorded_;
  };

  jit::Engine engine;
  model::Model model = bodies::make_mixed_scene(steps);
  Loss loss{model.initial_positions};
};

TEST_P(IntegratorGradients, PassTheTaylorTest) {
  const solve::Objective objective(model, engine);
  const auto gradient =
      adjoint::rollout_gradient(objective, model, exact, exact_adjoint, loss, solve::initial_state(model));
  EXPECT_DOUBLE_EQ(gradient.loss, loss_of(model));
  const std::size_t size = model.initial_positions.size();
  check(model.initial_positions, gradient.positions, test::waves(size, 5e-3),
        [](model::Model& changed, auto moved) { changed.initial_positions.assign(moved.begin(), moved.end()); });
  if (model::integrator_row(GetParam()).inertia)
    check(model.initial_velocities, gradient.velocities, test::waves(size, 1),
          [](model::Model& changed, auto moved) { changed.initial_velocities.assign(moved.begin(), moved.end()); });
  else
    EXPECT_THAT(gradient.velocities, testing::Each(0));
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    SCOPED_TRACE(model.regions[r].name);
    const auto& mu = model.regions[r].parameters[0];
    const auto direction = mu.size() > 1 ? test::waves(mu.size(), mu[0]) : std::vector<double>{mu[0]};
    check(mu, gradient.parameters[r][0], direction, [&](model::Model& changed, auto moved) {
      changed.regions[r].parameters[0].assign(moved.begin(), moved.end());
    });
    const double rho = model.regions[r].density;
    check(std::array{rho}, std::array{gradient.densities[r]}, std::array{rho},
          [&](model::Model& changed, auto moved) { changed.regions[r].density = moved[0]; });
  }
  for (const int step : {0, 1, steps - 1}) {
    SCOPED_TRACE(testing::Message() << "step " << step);
    check(std::vector<double>(size), gradient.forces[step], test::waves(size, 0.02),
          [&](model::Model& changed, auto force) {
            const double end = (step + 1) * changed.time_step;
            for (std::size_t node = 0; node < size / 3; ++node)
              changed.forces.push_back({{static_cast<std::int32_t>(node)},
                                        {force[3 * node], force[3 * node + 1], force[3 * node + 2]},
                                        end - changed.time_step,
                                        end});
          });
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, IntegratorGradients,
                         testing::Values(model::Integrator::implicit_euler, model::Integrator::bdf2,
                                         model::Integrator::quasi_static),
                         [](const auto& chosen) { return std::string(model::integrator_row(chosen.param).name); });

TEST(SubStepGradient, IsRefusedByTheNameOfTheStep) {
  const model::Model model = bodies::make_mixed_scene(2);
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  auto states = solve::simulate(objective, model, {}, solve::initial_state(model));
  states[2].substeps = 4;
  const adjoint::CentreTarget loss(1, {0, 0, 0}, adjoint::uniform_weights(model.mesh.nodes.size()));
  EXPECT_THAT([&] { adjoint::backward(objective, model, {}, loss, states); },
              testing::ThrowsMessage<Error>(
                  testing::AllOf(testing::HasSubstr("adjoint of step 2"), testing::HasSubstr("4 sub-steps"))));
}

}  // namespace
}  // namespace proxima
