// Worlds with contact side by side have the bits that they have alone, on the CPU and, by stand-ins for it
// (tests/cuda_shim), on a GPU.
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/contact_scenes.hpp"
#include "tests/solve/world_runs.hpp"

namespace proxima {
namespace {

using worlds::Case;

std::vector<Case> blocks() {
  std::vector<Case> cases;
  for (const double slope : {5.0, 20.0, 30.0}) cases.push_back({bodies::make_block({.slope = slope, .friction = 0.3})});
  for (const double up : {0.0, 0.05})
    cases.push_back({bodies::make_block({.friction = up, .restitution = 0.5, .height = up})});  // the second flies
  cases[1].settings.solver.method = solve::Method::lbfgs;
  for (Case& one : cases) {
    one.model.steps = 3;
    one.settings.tolerance = 1e-9;
  }
  return cases;
}

using TouchingWorlds = worlds::WorldRuns;

TEST_F(TouchingWorlds, HaveTheBitsThatTheyHaveAlone) {
  for (const bool beside : {false, true}) {
    const auto cases = blocks();
    const auto found = together(cases, 0, beside), right = alone(cases);
    EXPECT_EQ(error_, "");
    for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
  }
}

// Only those of one A share it: what contacts do to one another is of a world's own.
TEST_F(TouchingWorlds, HaveTheBitsOfSingleRunsOnAGpu) {
  device::testing::CudaShimEngine shim;
  gpu_ = &shim.engine;
  auto cases = blocks();
  cases.push_back({bodies::make_block({.slope = 20, .friction = 0.3, .young = 3e5})});
  cases.back().model.steps = 2;
  const auto found = together(cases, 0, true);
  EXPECT_EQ(error_, "");
  EXPECT_GT(work_.applications, 2 * work_.passes);
  const auto right = alone(cases);
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
}

// Worlds that slide alike, each with a load and a friction of its own.
TEST_F(TouchingWorlds, AreLaunchedTogether) {
  device::testing::CudaShimEngine shim;
  gpu_ = &shim.engine;
  std::vector<Case> cases;
  for (int k = 0; k < 8; ++k) {
    Case& one = cases.emplace_back(Case{bodies::make_block({.slope = 20.0 + k, .friction = 0.2 + 0.01 * k})});
    one.model.steps = 2;
    one.settings.tolerance = 1e-9;
  }
  (void)shim.calls();
  (void)shim.copied();
  const auto found = together(cases, 0, true);
  EXPECT_EQ(error_, "");
  const auto calls = shim.calls();
  const auto copied = shim.copied();
  const auto right = alone(cases);
  for (std::size_t k = 0; k < cases.size(); ++k) expect_same_bits(found[k], right[k]);
  EXPECT_LT(calls.waits, shim.calls().waits);
  EXPECT_LT(3 * copied.up.copies, 2 * shim.copied().up.copies);
  EXPECT_GT(2 * work_.requests, 7 * work_.launches);
  EXPECT_GT(work_.applications, 6 * work_.passes);
}

}  // namespace
}  // namespace proxima
