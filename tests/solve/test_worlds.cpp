// Worlds side by side against each of them alone.
#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/precondition/preconditioner.hpp"
#include "tests/solve/world_runs.hpp"

namespace proxima {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

using worlds::bar;
using worlds::Case;

class Worlds : public worlds::WorldRuns {};

TEST_F(Worlds, OfOneMatrixHaveTheBitsThatTheyHaveAlone) {
  std::vector<Case> cases{bar(0.3, 0), bar(-0.2, 1, 6), bar(0, 0.5), bar(0.1, 2, 2), bar(0.4, 0.1)};
  cases[1].settings.solver.method = solve::Method::automatic;
  cases[2].settings.solver.method = solve::Method::lbfgs;
  cases[4].settings.tolerance = 1e-5;
  for (const int threads : {1, 2, 8}) {
    device::set_threads(threads);
    const auto found = together(cases), right = alone(cases);
    EXPECT_EQ(error_, "");
    for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
    EXPECT_GT(work_.applications, 2 * work_.passes);
  }
  device::set_threads(0);
}

// Made beside another of the same A, a world has its factor, until its own A changes.
TEST_F(Worlds, OfOneMatrixHaveOneFactor) {
  Case one = bar(0.3, 0), other = bar(-0.2, 1);
  const auto first = objective(one);
  const auto beside = [&](const Case& world, factor::Storage storage = factor::Storage::fp32) {
    return std::make_unique<solve::Objective>(world.model, engine_, storage, 0, first.get());
  };
  const auto factor_of = [](const solve::Objective& of) { return of.preconditioner().shared_factor(); };
  auto second = beside(other);
  EXPECT_EQ(factor_of(*second), factor_of(*first));
  expect_same_bits(run(*second, other), run(*objective(other), other));
  EXPECT_NE(factor_of(*beside(other, factor::Storage::fp64)), factor_of(*first));
  other.model.regions[0].parameters[0] = {1.5e5};
  const auto third = beside(other);
  EXPECT_NE(factor_of(*third), factor_of(*first));
  expect_same_bits(run(*third, other), run(*objective(other), other));
  second->set_values(other.model);
  EXPECT_NE(factor_of(*second), factor_of(*first));
  expect_same_bits(run(*second, other), run(*third, other));
  expect_same_bits(run(*first, one), run(*objective(one), one));

  // And again, as soon as both have the same values.
  first->set_values(other.model);
  EXPECT_EQ(factor_of(*second), factor_of(*third));
  EXPECT_EQ(factor_of(*first), factor_of(*third));
  for (solve::Objective* moved : {first.get(), second.get()}) {
    other.model.regions[0].parameters[1] = {0.2};
    moved->set_values(other.model);
  }
  EXPECT_EQ(factor_of(*first), factor_of(*second));
  EXPECT_NE(factor_of(*first), factor_of(*third));
  for (const solve::Objective* moved : {first.get(), second.get()})
    expect_same_bits(run(*moved, other), run(*objective(other), other));
}

// What is ordered, analysed and taken of memory for one A serves the next; of worlds that go from one to the next one
// after the other there are two factors in turn.
TEST_F(Worlds, KeepTheirFactorsFromOneAToTheNext) {
  const std::vector<Case> cases{bar(0.3, 0, 1), bar(-0.2, 1, 1), bar(0.1, 0.5, 1)};
  const auto single = objective(cases[0]);
  std::vector<std::unique_ptr<solve::Objective>> beside;
  for (const Case& one : cases) beside.push_back(objective(one, 0, beside.empty() ? nullptr : beside.front().get()));
  std::vector<std::weak_ptr<const factor::SupernodalCholesky>> seen, seen_alone;
  const auto note = [](const solve::Objective& of, auto& all) {
    const auto factor = of.preconditioner().shared_factor();
    if (std::ranges::none_of(all, [&](const auto& one) { return one.lock() == factor; })) all.push_back(factor);
  };
  std::shared_ptr<const std::vector<double>> last;  // values of A
  for (const double stiffness : {8e4, 9e4, 1e5, 1.1e5, 1.2e5, 1.1e5}) {
    std::vector<Case> stiff = cases;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      stiff[k].model.regions[0].parameters[0] = {stiffness};
      if (k == 0 && stiffness == 1.2e5) last = beside[0]->preconditioner().factored();
      beside[k]->set_values(stiff[k].model);
      note(*beside[k], seen);
    }
    single->set_values(stiff[0].model);
    note(*single, seen_alone);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      EXPECT_EQ(beside[k]->preconditioner().factored(), beside[0]->preconditioner().factored());
      expect_same_bits(run(*beside[k], stiff[k]), run(*objective(stiff[k]), stiff[k]));
    }
  }
  EXPECT_EQ(seen.size(), 2);
  EXPECT_EQ(seen_alone.size(), 1);
  EXPECT_EQ(beside[0]->preconditioner().factored(), last) << "that factor was there still";
}

// Steps in short parts have an A of their own; after them the world has the others' factor, and not one of its own.
TEST_F(Worlds, GoBackToTheFactorOfTheOthers) {
  Case turned = bar(1.5, 0, 2);
  turned.settings.solver.max_newton = 4;
  const auto first = objective(bar(0.3, 0, 1)), second = objective(turned, 0, first.get());
  const auto factored = first->preconditioner().factored();
  run(*second, turned);
  ASSERT_GT(second->factorizations(), 1) << "no step was halved";
  second->set_values(turned.model);
  EXPECT_EQ(second->preconditioner().factored(), factored);
  EXPECT_EQ(first->preconditioner().factored(), factored);
}

TEST_F(Worlds, MayDeflate) {
  const std::vector<Case> cases{bar(0.3, 0), bar(-0.2, 1)};
  const auto found = together(cases, 12), right = alone(cases, 12);
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
}

// The A of the first is the preconditioner of all.
TEST_F(Worlds, OfOtherParametersAreTheSameToTheirTolerance) {
  std::vector<Case> cases{bar(0.3, 0), bar(0.3, 0), bar(0.3, 0)};
  cases[1].model.regions[0].parameters[0] = {1.5e5};
  cases[2].model.regions[0].parameters[1] = {0.45};
  for (Case& one : cases) one.settings.tolerance = 1e-10;
  const auto found = together(cases), right = alone(cases);
  expect_same_bits(found[0], right[0]);
  for (std::size_t k = 1; k < cases.size(); ++k) {
    double difference = 0, motion = 0;
    for (std::size_t i = 0; i < right[k].back().positions.size(); ++i) {
      difference = std::max(difference, std::abs(found[k].back().positions[i] - right[k].back().positions[i]));
      motion = std::max(motion, std::abs(right[k].back().positions[i] - right[k].front().positions[i]));
    }
    EXPECT_LT(difference, 1e-8 * motion);
    EXPECT_NE(found[k].back().positions, found[0].back().positions);
  }
}

// Steps in much shorter parts need another A: such a world, the first one too, goes on by itself, and the others
// without it.
TEST_F(Worlds, MayGoOnAlone) {
  std::vector<Case> cases{bar(1.5, 0), bar(0.2, 1), bar(-1.5, 0, 2), bar(-0.3, 0, 6)};
  for (const std::size_t k : {0, 2}) cases[k].settings.solver.max_newton = 4;
  const auto found = together(cases), right = alone(cases);
  EXPECT_EQ(error_, "");
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
  const auto first = objective(cases[0], 0);
  run(*first, cases[0]);
  EXPECT_GT(first->factorizations(), 1);
}

TEST_F(Worlds, ThatFailAreNamedAndKeepNobodyFromEnding) {
  std::vector<Case> cases{bar(0.3, 0), bar(0.2, 1), bar(-0.3, 0)};
  cases[1].settings.solver.max_newton = 1;
  cases[1].settings.max_substeps = 1;
  const auto found = together(cases);
  EXPECT_THAT(error_, AllOf(StartsWith("world1: "), HasSubstr("not solved in 1 iterations")));
  for (const std::size_t k : {0, 2}) expect_same_bits(found[k], alone({cases[k]})[0]);
}

TEST_F(Worlds, OfAnotherMeshAreRefused) {
  const Case first = bar(0.3, 0);
  Case free{bodies::make_bar()}, other{bodies::make_bar(6)};
  for (const Case& one : {free, other}) {
    const auto of_first = objective(first, 0), of_one = objective(one, 0);
    const solve::World worlds[] = {{"first", of_first.get(), {}}, {"second", of_one.get(), {}}};
    EXPECT_THAT(
        [&] { solve::run_worlds(worlds); },
        ThrowsMessage<Error>(HasSubstr("second: worlds that run together have one mesh and the same held nodes; "
                                       "these are not those of first")));
  }
  solve::Objective single(first.model, engine_, factor::Storage::fp64);
  solve::Objective copy(first.model, engine_, factor::Storage::fp32);
  const solve::World worlds[] = {{"first", &copy, {}}, {"second", &single, {}}};
  EXPECT_THAT([&] { solve::run_worlds(worlds); }, ThrowsMessage<Error>(HasSubstr("store the factor in one precision")));
}

}  // namespace
}  // namespace proxima
