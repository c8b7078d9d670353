// States of a rollout that are kept or found again: their bits, their number, the steps taken again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/adjoint/tape.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/element_models.hpp"

namespace proxima {
namespace {

using adjoint::Checkpoints;
using adjoint::Keep;
using adjoint::Tape;

constexpr int steps = 11;
constexpr solve::StepSettings settings{.tolerance = 1e-9, .solver = {.max_newton = 5}};

std::size_t state_bytes(const solve::State& state) {
  return 8 * (state.positions.size() + state.velocities.size() + state.history.size() +
              state.previous_positions.size() + state.previous_velocities.size());
}

// Memory for `states` states like the last one.
Checkpoints room_for(std::size_t states, const solve::State& last) {
  return {.keep = Keep::binomial, .bytes = states * state_bytes(last)};
}

void expect_same(const solve::State& found, const solve::State& expected) {
  EXPECT_EQ(found.positions, expected.positions);
  EXPECT_EQ(found.velocities, expected.velocities);
  EXPECT_EQ(found.history, expected.history);
  EXPECT_EQ(found.previous_positions, expected.previous_positions);
  EXPECT_EQ(found.previous_velocities, expected.previous_velocities);
  EXPECT_EQ(found.substeps, expected.substeps);
}

struct Motion {
  const char* name;
  model::Model (*make)();
};

model::Model twisted() {
  model::Model model = bodies::make_bar();
  bodies::hold_end(model, false);
  bodies::hold_end(model, true, {{0, {}, {}}, {0.02, {0.01, 0, 0}, {1, 0, 0}}});
  model.integrator = model::Integrator::bdf2;
  model.steps = steps;
  return model;
}

class TapeOf : public testing::TestWithParam<Motion> {
 protected:
  void SetUp() override { model.steps = steps; }
  model::Model model = GetParam().make();
};

TEST_P(TapeOf, HasTheBitsOfTheRolloutInEveryMode) {
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const solve::State start = solve::initial_state(model);
  const auto states = solve::simulate(objective, model, settings, start);
  if (GetParam().name == std::string("bdf2_with_sub_steps")) {
    ASSERT_GT(states[1].substeps, 1);
  }
  std::vector<Checkpoints> ways = {{Keep::all}, room_for(3, states[steps]), room_for(5, states[steps])};
  for (const int every : {1, 3, 11, 20}) ways.push_back({.keep = Keep::every, .every = every});
  for (const auto& way : ways) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(way.keep) << " " << way.every << " " << way.bytes);
    int recorded = 0;
    Tape tape(objective, model, settings, way, start,
              [&](int step, const solve::State& state, const solve::StepReport& report) {
                EXPECT_EQ(step, ++recorded);
                EXPECT_EQ(state.positions, states[step].positions);
                EXPECT_EQ(report.substeps, states[step].substeps);
              });
    EXPECT_EQ(recorded, steps);
    EXPECT_EQ(tape.steps(), steps);
    for (int step = steps - 1; step >= 0; --step) {
      const solve::State& after = tape.state(step + 1);
      const solve::State& before = tape.state(step);
      expect_same(after, states[step + 1]);
      expect_same(before, states[step]);
    }
    if (way.keep == Keep::binomial) {
      EXPECT_LE(tape.peak_bytes(), way.bytes);
    }
    for (const int frame : {4, 9, 2, steps, steps - 1, 0}) expect_same(tape.state(frame), states[frame]);
    const long before = tape.advances();
    for (int frame = 0; frame <= steps; ++frame) expect_same(tape.state(frame), states[frame]);
    EXPECT_LE(tape.advances(), before + steps);
  }
}

TEST_P(TapeOf, GivesGradientsOfTheSameBitsInEveryMode) {
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const solve::State start = solve::initial_state(model);
  const adjoint::RecordedMotion loss({{4, start.positions}, {steps, start.positions}},
                                     adjoint::uniform_weights(start.positions.size() / 3));
  const auto gradient = [&](const Checkpoints& way) {
    return adjoint::rollout_gradient(objective, model, settings, {.tolerance = 1e-6, .checkpoints = way}, loss, start);
  };
  const auto expected = gradient({});
  EXPECT_EQ(expected.advances, steps);
  for (const auto& way : {Checkpoints{.keep = Keep::every, .every = 3}, room_for(7, start)}) {
    const auto found = gradient(way);
    EXPECT_GT(found.advances, steps);
    EXPECT_LT(found.peak_bytes, expected.peak_bytes);
    EXPECT_EQ(found.loss, expected.loss);
    EXPECT_EQ(found.positions, expected.positions);
    EXPECT_EQ(found.velocities, expected.velocities);
    EXPECT_EQ(found.history, expected.history);
    EXPECT_EQ(found.nodal_forces, expected.nodal_forces);
    for (std::size_t r = 0; r < found.regions.size(); ++r)
      EXPECT_EQ(found.regions[r].parameters, expected.regions[r].parameters);
  }
}

INSTANTIATE_TEST_SUITE_P(Motions, TapeOf,
                         testing::Values(Motion{"implicit_euler", [] { return bodies::make_mixed_scene(steps); }},
                                         Motion{"bdf2_with_sub_steps", twisted},
                                         Motion{"history",
                                                [] {
                                                  auto model = bodies::make_element_model("tetrahedra");
                                                  bodies::stir(model, 0.2);
                                                  return model;
                                                }}),
                         [](const auto& row) { return std::string(row.param.name); });

// A free tet that rotates and swings: cheap enough for thousands of steps.
class LongTape : public testing::Test {
 protected:
  explicit LongTape(int count = 2500) {
    bodies::stir(model, 0.5);
    model.steps = count;
  }
  // Reads all states from the last to the first and returns the sum of a coordinate.
  double read_back(Tape& tape) const {
    double total = 0;
    for (int frame = tape.steps(); frame >= 0; --frame) total += tape.state(frame).positions[0];
    return total;
  }
  Tape tape(const Checkpoints& way) {
    return {objective, model, {.tolerance = 1e-4}, way, solve::initial_state(model)};
  }

  model::Model model = bodies::make_tet();
  jit::Engine engine;
  solve::Objective objective{model, engine};
};

// The least number of steps that reverses `length` of them with `kept` states, by the recursion that defines it.
std::vector<std::vector<long>> least_steps(int length, int kept) {
  std::vector<std::vector<long>> least(kept + 1, std::vector<long>(length + 1, LONG_MAX / 2));
  for (int s = 0; s <= kept; ++s) {
    least[s][0] = least[s][1] = 0;
    for (int l = 2; s > 0 && l <= length; ++l)
      for (int m = 1; m < l; ++m) least[s][l] = std::min(least[s][l], m + least[s - 1][l - m] + least[s][m]);
  }
  return least;
}

// r l - C(s + r, r - 1), r the least with C(s + r, r) >= l.
long closed_form(long l, long s) {
  long r = 0, within = 1, below = 0;  // C(s + r, r), C(s + r, r - 1)
  while (within < l) {
    ++r;
    within = within * (s + r) / r;
    below = r == 1 ? 1 : below * (s + r) / (r - 1);
  }
  return r * l - below;
}

TEST(BinomialSchedule, TakesTheLeastNumberOfSteps) {
  constexpr int most = 60, kept = 8;
  const auto least = least_steps(most, kept);
  for (int s = 1; s <= kept; ++s)
    for (int l = 1; l <= most; ++l) {
      EXPECT_EQ(closed_form(l, s), least[s][l]) << l << " steps, " << s << " states";
      if (l == 1) continue;
      const int m = adjoint::stretch_to_next(l, s);
      ASSERT_TRUE(m >= 1 && m < l);
      EXPECT_EQ(m + least[s - 1][l - m] + least[s][m], least[s][l]) << l << " steps, " << s << " states";
    }
}

TEST_F(LongTape, TakesTheStepsOfTheFormulaWithinItsMemory) {
  auto all = tape({Keep::all});
  const double expected = read_back(all);
  EXPECT_EQ(all.peak_states(), 2501u);
  EXPECT_EQ(all.advances(), 2500);
  const std::size_t each = state_bytes(solve::initial_state(model));
  EXPECT_EQ(all.peak_bytes(), 2501 * each);
  for (const std::size_t states : {6, 12, 52}) {
    auto found = tape({.keep = Keep::binomial, .bytes = states * each});
    EXPECT_EQ(read_back(found), expected);
    // One more to the last state, which no step starts from; two states are those that are read.
    EXPECT_EQ(found.advances(), closed_form(2500, static_cast<long>(states) - 2) + 1);
    EXPECT_EQ(found.peak_states(), states);
    EXPECT_EQ(found.peak_bytes(), states * each);
  }
  for (const int every : {50, 60}) {
    auto found = tape({.keep = Keep::every, .every = every});
    EXPECT_EQ(read_back(found), expected);
    EXPECT_EQ(found.advances(), 2500 + (every - 1) * (2499 / every));
    EXPECT_LE(found.peak_states(), static_cast<std::size_t>(2500 / every + 1 + every));
  }
}

class VeryLongTape : public LongTape {
 protected:
  VeryLongTape() : LongTape(10000) {}
};

TEST_F(VeryLongTape, FitsIntoTwentyStates) {
  auto found = tape({.keep = Keep::binomial, .bytes = 20 * state_bytes(solve::initial_state(model))});
  read_back(found);
  EXPECT_EQ(found.peak_states(), 20u);
  EXPECT_EQ(found.advances(), closed_form(10000, 18) + 1);
}

TEST(Tape, RefusesTooLittleMemoryAndSaysHowMuchIsNeeded) {
  model::Model model = bodies::make_tet();
  model.steps = 5;
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto start = solve::initial_state(model);
  const auto with = [&](std::size_t bytes) {
    return Tape(objective, model, settings, {.keep = Keep::binomial, .bytes = bytes}, start);
  };
  EXPECT_THAT([&] { with(575); }, testing::ThrowsMessage<Error>(testing::AllOf(
                                      testing::HasSubstr("575 bytes"), testing::HasSubstr("3 states of 192 bytes"),
                                      testing::HasSubstr("576 bytes"))));
  EXPECT_EQ(with(576).steps(), 5);
  EXPECT_THROW(Tape(objective, model, settings, {.keep = Keep::every, .every = 0}, start), Error);
}

TEST(Tape, ReadsStatesThatAreThere) {
  model::Model model = bodies::make_tet();
  model.steps = 3;
  jit::Engine engine;
  const solve::Objective objective(model, engine);
  const auto states = solve::simulate(objective, model, settings, solve::initial_state(model));
  Tape tape(states);
  EXPECT_EQ(tape.steps(), 3);
  for (const int frame : {3, 2, 1, 0}) EXPECT_EQ(&tape.state(frame), &states[frame]);
  EXPECT_EQ(tape.advances(), 0);
  EXPECT_EQ(tape.peak_bytes(), 4 * state_bytes(states[0]));
  EXPECT_THROW(tape.state(4), std::logic_error);
}

}  // namespace
}  // namespace proxima
