// Worlds side by side on a GPU, by stand-ins for it (tests/cuda_shim), against each of them alone there and on the CPU.
#include "runtime/device/cuda_engine.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/world_runs.hpp"

namespace proxima {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;
using worlds::bar;
using worlds::Case;

class WorldsOnAGpu : public worlds::WorldRuns {
 protected:
  WorldsOnAGpu() { gpu_ = &shim_.engine; }
  device::testing::CudaShimEngine shim_;
};

TEST_F(WorldsOnAGpu, HaveTheBitsThatTheyHaveAloneThere) {
  std::vector<Case> cases{bar(0.3, 0), bar(-0.2, 1, 4), bar(0, 0.5), bar(0.1, 2, 1), bar(0.4, 0.1)};
  for (Case& one : cases) one.settings.tolerance = 1e-12;
  cases[1].settings.solver.method = solve::Method::automatic;
  cases[2].settings.solver.method = solve::Method::lbfgs;
  cases[3].model.regions[0].damping.stiffness = {1e-3};  // one more energy, and another A
  cases[4].settings.solver.method = solve::Method::admm;
  const auto found = together(cases), right = alone(cases);
  EXPECT_EQ(error_, "");
  for (const std::size_t k : {0, 1, 2, 4}) expect_same_bits(found[k], right[k]);
  EXPECT_GT(work_.applications, 2 * work_.passes);

  gpu_ = nullptr;
  const auto on_cpu = alone(cases);
  for (std::size_t k = 0; k < cases.size(); ++k)
    for (std::size_t i = 0; i < on_cpu[k].back().positions.size(); ++i)
      EXPECT_NEAR(found[k].back().positions[i], on_cpu[k].back().positions[i], 1e-12 * 0.1) << k;
}

TEST_F(WorldsOnAGpu, MayDeflate) {
  constexpr int slow_modes = 12;
  std::vector<Case> cases{bar(0.3, 0), bar(-0.2, 1, 2), bar(0.4, 0.1)};
  for (Case& one : cases) one.settings.tolerance = 1e-12;
  const auto found = together(cases, slow_modes), right = alone(cases, slow_modes);
  EXPECT_EQ(error_, "");
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
  EXPECT_GT(work_.applications, 2 * work_.passes);
  EXPECT_GT(2 * work_.requests, 3 * work_.launches);

  gpu_ = nullptr;
  const auto on_cpu = alone(cases, slow_modes);
  for (std::size_t k = 0; k < cases.size(); ++k)
    for (std::size_t i = 0; i < on_cpu[k].back().positions.size(); ++i)
      EXPECT_NEAR(found[k].back().positions[i], on_cpu[k].back().positions[i], 1e-12 * 0.1) << k;
}

// Eight worlds that move alike, of one method, take a quarter or less of the launches that they take one by one.
TEST_F(WorldsOnAGpu, AreLaunchedTogether) {
  for (const auto method : {solve::Method::newton, solve::Method::lbfgs, solve::Method::automatic}) {
    std::vector<Case> cases;
    for (int k = 0; k < 8; ++k) cases.push_back(bar(0.1 + 0.02 * k, 0.2 + 0.1 * k, 2));
    for (Case& one : cases) one.settings.solver.method = method;
    int launches = shim_.launches();
    const auto found = together(cases);
    const int of_all = shim_.launches() - launches;
    launches = shim_.launches();
    const auto right = alone(cases);
    const int of_single = shim_.launches() - launches;
    for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
    EXPECT_LT(3 * of_all, of_single) << solve::method_entry(method).name;
    EXPECT_GT(work_.requests, 3 * work_.launches);
    EXPECT_GT(work_.applications, 7 * work_.passes);
  }
}

// The A of the first is the preconditioner of all.
TEST_F(WorldsOnAGpu, OfOtherParametersAreTheSameToTheirTolerance) {
  std::vector<Case> cases{bar(0.3, 0, 2), bar(0.3, 0, 2)};
  cases[1].model.regions[0].parameters[0] = {1.5e5};
  for (Case& one : cases) one.settings.tolerance = 1e-10;
  const auto found = together(cases), right = alone(cases);
  expect_same_bits(found[0], right[0]);
  for (std::size_t i = 0; i < right[1].back().positions.size(); ++i)
    EXPECT_NEAR(found[1].back().positions[i], right[1].back().positions[i], 1e-10);
}

// From one evaluation of a fit to the next: where A is another its factor's numbers are copied, where it is not nothing
// of it is, and never what only its pattern decides.
TEST_F(WorldsOnAGpu, KeepTheFactorThere) {
  std::vector<Case> cases{bar(0.3, 0, 1), bar(-0.2, 1, 1), bar(0.1, 0.5, 1)};
  std::vector<std::unique_ptr<solve::Objective>> objectives;
  for (const Case& one : cases)
    objectives.push_back(objective(one, 0, objectives.empty() ? nullptr : objectives.front().get()));
  std::vector<std::vector<solve::State>> states(cases.size());
  const auto put = [&](double stiffness) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
      cases[k].model.regions[0].parameters[0] = {stiffness};
      objectives[k]->set_values(cases[k].model);
    }
  };
  const auto run_all = [&] {
    std::vector<solve::World> worlds;
    for (std::size_t k = 0; k < cases.size(); ++k)
      worlds.push_back({"world", objectives[k].get(), [&, k] { states[k] = run(*objectives[k], cases[k]); }});
    return solve::run_worlds(worlds);
  };
  const auto factor_of_all = [&] { return objectives[0]->gpu()->factor_for(static_cast<int>(cases.size())); };
  const auto copied = [&] {
    (void)shim_.copied();
    (void)factor_of_all();
    return shim_.copied().up.bytes;
  };
  put(1e5);
  run_all();
  const auto factor = factor_of_all();
  EXPECT_GT(factor->passes(), 0);
  EXPECT_EQ(copied(), 0) << "is there since the run";
  put(9e4);
  EXPECT_EQ(copied(), static_cast<std::size_t>(factor->entries()) * sizeof(float));
  put(9e4);
  EXPECT_EQ(copied(), 0);
  const auto before = factor->passes();
  const solve::SharedWork work = run_all();
  EXPECT_EQ(factor_of_all(), factor);
  EXPECT_EQ(work.passes, factor->passes() - before) << "those of this run alone, by this factor";
  EXPECT_GT(work.applications, 2 * work.passes);
  const auto right = alone(cases);
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(states[k], right[k]);
}

// Steps in much shorter parts need another A, of which such a world has a factor of its own there; its launches are
// still made with the others'.
TEST_F(WorldsOnAGpu, MayGoOnWithAnAOfTheirOwn) {
  std::vector<Case> cases{bar(1.5, 0, 2), bar(0.2, 1, 2), bar(-1.5, 0, 2)};
  for (const std::size_t k : {0, 2}) cases[k].settings.solver.max_newton = 4;
  const auto found = together(cases), right = alone(cases);
  EXPECT_EQ(error_, "");
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
  const auto first = objective(cases[0]);
  run(*first, cases[0]);
  EXPECT_GT(first->factorizations(), 1);
}

TEST_F(WorldsOnAGpu, ThatFailAreNamedAndKeepNobodyFromEnding) {
  std::vector<Case> cases{bar(0.3, 0, 2), bar(0.2, 1, 2), bar(-0.3, 0, 2)};
  cases[1].settings.solver.max_newton = 1;
  cases[1].settings.max_substeps = 1;
  const auto found = together(cases);
  EXPECT_THAT(error_, AllOf(StartsWith("world1: "), HasSubstr("not solved in 1 iterations")));
  for (const std::size_t k : {0, 2}) expect_same_bits(found[k], alone({cases[k]})[0]);
}

TEST_F(WorldsOnAGpu, ThatFindNoMemoryAreNamed) {
  const Case one = bar(0.3, 0, 2);
  const auto small = objective(one), large = objective(one);
  std::vector<solve::State> states;
  const solve::World all[] = {{"small", small.get(), [&] { states = run(*small, one); }},
                              {"large", large.get(), [&] { (void)gpu_->device().allocate(std::size_t{1} << 41); }}};
  EXPECT_THAT([&] { solve::run_worlds(all); },
              ThrowsMessage<Error>(AllOf(StartsWith("large: Fake GPU has no 2199023255552 bytes of memory left, "
                                                    "1099511627776 of its 1099511627776 are free"),
                                         HasSubstr("fewer worlds"))));
  expect_same_bits(states, alone({one})[0]);
}

TEST_F(WorldsOnAGpu, AreNotBesideWorldsOfTheCpu) {
  const Case one = bar(0.3, 0);
  const auto there = objective(one);
  gpu_ = nullptr;
  const auto here = objective(one);
  const solve::World all[] = {{"there", there.get(), {}}, {"here", here.get(), {}}};
  EXPECT_THAT([&] { solve::run_worlds(all); },
              ThrowsMessage<Error>("here: worlds that run together run on one device; there is on the GPU"));
}

}  // namespace
}  // namespace proxima
