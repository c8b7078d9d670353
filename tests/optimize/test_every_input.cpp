// The gradient of a rollout by every input that its model has, on every element shape, with every integrator, through
// histories, previous strains, dampings, lagged loads and moving ends: Taylor tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/optimize/quantities.hpp"
#include "tests/adjoint/taylor.hpp"
#include "tests/solve/input_scenes.hpp"

namespace proxima {
namespace {

using optimize::Quantity;
using optimize::Target;

constexpr int steps = bodies::input_scene_steps;

solve::StepSettings settings_of(const std::string& scene) {
  solve::StepSettings settings{.tolerance = 1e-13};
  // Down to the last bit: the rounding of the stiff part, in units of the soft one, is what differences see.
  if (scene.starts_with("contrast")) settings = {.tolerance = 1e-17, .attainable = 0.01};
  if (scene.starts_with("sub_steps")) settings.solver.max_newton = 6;
  return settings;
}

// Positions in three frames, velocities in two, held nodes too.
class Motion : public adjoint::Loss {
 public:
  explicit Motion(const std::vector<double>& rest)
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

class EveryInput : public testing::TestWithParam<std::string> {
 protected:
  // Something to damp, where a scene has none: a mass damping below 0 is refused.
  void SetUp() override {
    for (auto& region : model.regions)
      if (region.density > 0 && region.damping.mass == 0) region.damping.mass = 1.5;
  }
  void check(std::span<const double> x, std::span<const double> slope, std::span<const double> direction,
             const std::function<void(model::Model&, std::span<const double>)>& apply) {
    test::expect_gradient(
        model, [&](const model::Model& changed) { return test::rollout_loss(engine, changed, exact, loss); }, x, slope,
        direction, apply);
  }

  // How far its numbers are moved: to about their own size, or the body's.
  double amplitude(Quantity quantity, std::span<const double> values) const {
    const double size = GetParam() == "hexahedra" || GetParam() == "loads" || values.size() == 3 ? 0.02 : 0.05;
    if (quantity == Quantity::rest_shape || quantity == Quantity::translation) return 0.2 * size;
    if (quantity == Quantity::rotation) return 0.2;
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    // A stiff part hardly feels its mass: from nearly none to nearly double.
    const bool of_mass = quantity == Quantity::density || quantity == Quantity::mass_damping;
    if (of_mass && GetParam().starts_with("contrast_1e4")) return 8 * largest;
    return largest == 0 ? size : largest;
  }

  void check_target(Quantity quantity, Target target) {
    const auto& row = optimize::quantity_row(quantity);
    const bool of_motion = quantity == Quantity::mass_damping || quantity == Quantity::velocity;
    if (of_motion && !model::integrator_row(model.integrator).inertia) {
      EXPECT_THAT(row.gradient(model, gradient, target), testing::Each(0));
      return;
    }
    if (quantity == Quantity::rest_shape && gradient.rest.empty()) return;
    SCOPED_TRACE(testing::Message() << row.name << " " << target.object << "." << target.part);
    const auto values = row.get(model, target);
    const double amplitude_here = amplitude(quantity, values);
    const auto direction =
        values.size() == 1 ? std::vector<double>{amplitude_here} : test::waves(values.size(), amplitude_here);
    check(values, row.gradient(model, gradient, target), direction,
          [&](model::Model& changed, auto moved) { row.set(changed, target, moved); });
    ++tested;
  }

  const solve::StepSettings exact = settings_of(GetParam());
  jit::Engine engine;
  model::Model model = bodies::input_scenes().at(GetParam())();
  Motion loss{model.initial_positions};
  adjoint::Gradient gradient;
  int tested = 0;
};

TEST_P(EveryInput, PassesTheTaylorTest) {
  adjoint::AdjointSettings settings{.tolerance = 1e-12, .max_cg = 5000, .rest_shape = true, .motions = true};
  {
    const solve::Objective objective(model, engine);
    try {
      objective.require_rest_gradient();
    } catch (const Error&) {
      settings.rest_shape = false;
    }
    gradient = adjoint::rollout_gradient(objective, model, exact, settings, loss, solve::initial_state(model));
  }
  EXPECT_EQ(gradient.rest.empty(), GetParam() == "triangles" || GetParam() == "sheet");
  if (GetParam().starts_with("sub_steps")) {
    const solve::Objective objective(model, engine);
    EXPECT_GT(solve::simulate(objective, model, exact, solve::initial_state(model))[1].substeps, 1);
  }
  EXPECT_DOUBLE_EQ(gradient.loss, test::rollout_loss(engine, model, exact, loss));
  const std::size_t size = model.initial_positions.size();
  const double edge = GetParam() == "histories" || size < 60 ? 0.05 : 5e-3;
  check(model.initial_positions, gradient.positions, test::waves(size, edge),
        [](model::Model& changed, auto moved) { changed.initial_positions.assign(moved.begin(), moved.end()); });
  if (model::integrator_row(model.integrator).inertia)
    check(model.initial_velocities, gradient.velocities, test::waves(size, 1),
          [](model::Model& changed, auto moved) { changed.initial_velocities.assign(moved.begin(), moved.end()); });
  else
    EXPECT_THAT(gradient.velocities, testing::Each(0));
  for (std::size_t q = 0; q < optimize::all_quantities().size(); ++q) {
    const auto quantity = static_cast<Quantity>(q);
    for (const auto& target : optimize::targets_of(model, quantity)) check_target(quantity, target);
  }
  EXPECT_GE(tested, 4);
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& [name, make] : bodies::input_scenes()) result.push_back(name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Scenes, EveryInput, testing::ValuesIn(names()),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace proxima
