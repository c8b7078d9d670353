// Conjugate gradients on a GPU, by stand-ins for it (tests/cuda_shim): their iterations are CUDA graphs that are queued
// ahead, and their results those of the loop that asks for each number, bit by bit, and of the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/conjugate_gradients.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/bodies.hpp"

namespace proxima {
namespace {

using device::CudaVector;
using Workspace = solve::BasicCgWorkspace<solve::CudaObjective>;
using Space = solve::BasicRecycledSpace<solve::CudaObjective>;

constexpr int most = 500;

struct Solved {
  std::vector<double> z, residual, direction;
  solve::CgOutcome outcome;
  device::testing::CudaShim::Calls calls{};
};

void expect_same_bits(const Solved& found, const Solved& right) {
  EXPECT_EQ(found.outcome.iterations, right.outcome.iterations);
  EXPECT_EQ(found.outcome.residual, right.outcome.residual);
  EXPECT_EQ(found.outcome.negative_curvature, right.outcome.negative_curvature);
  EXPECT_EQ(found.z, right.z);
  EXPECT_EQ(found.residual, right.residual);
  EXPECT_EQ(found.direction, right.direction);
}

class CudaCgTest : public testing::Test {
 protected:
  // A bar of 0.1 m, held at both ends, pressed along its length by this share and bent, in a step of this length.
  void make(double press, double time_step, int slow_modes = 0) {
    model_ = bodies::make_bar(20, 0.02);
    bodies::hold_end(model_, false);
    bodies::hold_end(model_, true);
    model_.time_step = time_step;
    for (std::size_t i = 0; i < model_.initial_positions.size(); i += 3) {
      model_.initial_positions[i + 1] += 0.3 * model_.initial_positions[i] * model_.initial_positions[i];
      model_.initial_positions[i] *= 1 - press;
    }
    objective_ = std::make_unique<solve::Objective>(model_, engine_, factor::Storage::fp64, slow_modes);
    objective_->use(shim_.engine);
    gpu_ = objective_->gpu();
    gpu_->follow();
    gpu_->linearise(shim_.vector(model_.initial_positions));
    work_.emplace(*gpu_);
    z_.emplace(gpu_->vector());
  }

  std::vector<double> right_hand_side(double phase = 0) const {
    std::vector<double> b(model_.initial_positions.size());
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(3.1 * static_cast<double>(i) + phase);
    objective_->clear_held(b);
    return b;
  }

  // The loop as textbooks have it, which asks for every number.
  Solved asking(const std::vector<double>& right, double tolerance, int at_most = most, const Space* space = nullptr) {
    CudaVector r = shim_.vector(right), z = gpu_->vector(), s = gpu_->vector(), p = gpu_->vector(), q = gpu_->vector();
    if (space != nullptr) space->project(r, z);
    solve::CgOutcome outcome;
    outcome.residual = device::norm(r);
    for (double rs = 0; outcome.residual > tolerance && outcome.iterations < at_most;) {
      gpu_->precondition_hessian(r, s);
      if (space != nullptr) space->deflate(r, s);
      const double previous = std::exchange(rs, device::dot(r, s));
      if (outcome.iterations++ == 0)
        device::copy(s, p);
      else
        device::scale_and_add(p, rs / previous, s);
      gpu_->hessian_product(p, q);
      const double curvature = device::dot(p, q);
      outcome.negative_curvature = !(curvature > 0);
      if (outcome.negative_curvature) break;
      device::add_scaled(z, rs / curvature, p);
      device::add_scaled(r, -rs / curvature, q);
      outcome.residual = device::norm(r);
    }
    return {shim_.values(z), shim_.values(r), shim_.values(p), outcome};
  }

  Solved solve(const std::vector<double>& right, double tolerance, int at_most = most, const Space* space = nullptr) {
    const CudaVector b = shim_.vector(right);
    device::set_zero(*z_);
    (void)shim_.calls();
    const auto outcome = solve::conjugate_gradients(*gpu_, b, tolerance, at_most, true, *work_, *z_, space);
    const auto calls = shim_.calls();
    return {shim_.values(*z_), shim_.values(work_->residual), shim_.values(work_->direction), outcome, calls};
  }

  // With and without graphs, so many ahead.
  void for_each_way(const std::function<void()>& check) {
    for (const bool graphs : {false, true})
      for (const int ahead : {1, 3, 8, 1000}) {
        SCOPED_TRACE(testing::Message() << (graphs ? "graphs" : "launches") << ", up to " << ahead << " ahead");
        gpu_->algebra_of_vectors()->ahead.with_graphs = graphs;
        gpu_->algebra_of_vectors()->ahead.most = ahead;
        check();
      }
  }

  device::testing::CudaShimEngine shim_;
  jit::Engine engine_;
  model::Model model_;
  std::unique_ptr<solve::Objective> objective_;
  solve::CudaObjective* gpu_ = nullptr;
  std::optional<Workspace> work_;
  std::optional<CudaVector> z_;
};

TEST_F(CudaCgTest, HasTheBitsOfTheLoopThatAsks) {
  for (const auto& [slow_modes, products] :
       {std::pair{0, emit::Precision::fp64}, {12, emit::Precision::fp64}, {12, emit::Precision::fp32}}) {
    SCOPED_TRACE(testing::Message() << slow_modes << ", " << (products == emit::Precision::fp32 ? "fp32" : "fp64"));
    make(0.01, 0.1, slow_modes);
    gpu_->set_product_precision(products);
    gpu_->linearise(shim_.vector(model_.initial_positions));
    const auto b = right_hand_side();
    for (const auto& [share, at_most] :
         {std::pair{1e-10, most}, {0.3, most}, {1e-10, 5}, {1e-10, 1}, {1e-10, 0}, {2.0, most}}) {
      SCOPED_TRACE(testing::Message() << "to " << share << " in at most " << at_most);
      const double tolerance = share * device::norm(b);
      const int limit = at_most;
      const Solved right = asking(b, tolerance, limit);
      EXPECT_GE(right.outcome.iterations, share < 0.1 ? std::min(at_most, 10) : share < 1 ? 1 : 0);
      for_each_way([&] {
        Solved found = solve(b, tolerance, limit);
        if (right.outcome.iterations == 0) found.direction = right.direction;  // there is none
        expect_same_bits(found, right);
      });
    }
  }
}

TEST_F(CudaCgTest, SolvesAsTheCpuDoes) {
  make(0.01, 0.1);
  const auto b = right_hand_side();
  const Solved found = solve(b, 1e-12 * device::norm(b));
  const solve::Objective on_cpu(model_, engine_, factor::Storage::fp64);
  on_cpu.linearise(model_.initial_positions);
  solve::CgWorkspace work(on_cpu);
  std::vector<double> z(b.size());
  const auto outcome = solve::conjugate_gradients(on_cpu, b, 1e-12 * device::norm(b), most, true, work, z);
  EXPECT_NEAR(found.outcome.iterations, outcome.iterations, 1);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(found.z[i], z[i], 1e-10 * device::norm(z));
}

// One graph each but for the first, which goes launch by launch, and no more than a few in vain; one wait for several.
TEST_F(CudaCgTest, AnIterationIsOneGraph) {
  for (const int slow_modes : {0, 12}) {
    make(0.01, 0.1, slow_modes);
    const auto b = right_hand_side();
    const Solved found = solve(b, 1e-10 * device::norm(b)), one = solve(b, 1e-10 * device::norm(b), 1);
    ASSERT_GT(found.outcome.iterations, 10);
    EXPECT_EQ(found.calls.launches, one.calls.launches);
    EXPECT_GE(found.calls.graphs, found.outcome.iterations - 1);
    EXPECT_LE(found.calls.graphs, found.outcome.iterations + 3);
    EXPECT_LE(2 * found.calls.waits, found.outcome.iterations);
    EXPECT_EQ(found.calls.made, 1);
    EXPECT_EQ(solve(b, 1e-3).calls.made, 0);
    gpu_->linearise(shim_.vector(std::vector<double>(b.size())));  // another H in the same place
    EXPECT_EQ(solve(b, 1e-3).calls.made, 0);
  }
}

// Another parameter is another argument, another A other numbers in the same place, another workspace other memory.
TEST_F(CudaCgTest, IsCapturedAnewForOtherArguments) {
  make(0.01, 0.1, 12);
  const auto b = right_hand_side();
  const double tolerance = 1e-10 * device::norm(b);
  const Solved before = solve(b, tolerance);
  model_.regions[0].parameters[0][0] *= 1.5;
  objective_->set_values(model_);
  gpu_->follow();
  gpu_->linearise(shim_.vector(model_.initial_positions));
  const Solved changed = solve(b, tolerance);
  EXPECT_EQ(changed.calls.made, 1);
  EXPECT_NE(changed.z, before.z);
  expect_same_bits(changed, asking(b, tolerance));
  const Workspace first = std::move(*work_);
  work_.emplace(*gpu_);
  const Solved elsewhere = solve(b, tolerance);
  EXPECT_EQ(elsewhere.calls.made, 1);
  expect_same_bits(elsewhere, changed);
}

// The direction along which there is none is what Newton goes on with, however many iterations were queued after it.
TEST_F(CudaCgTest, LeavesTheDirectionOfNegativeCurvature) {
  make(0.3, 10);
  const auto b = right_hand_side();
  const Solved right = asking(b, 1e-10 * device::norm(b));
  ASSERT_TRUE(right.outcome.negative_curvature);
  ASSERT_GT(right.outcome.iterations, 1);
  long in_vain = 0;
  for_each_way([&] {
    const Solved found = solve(b, 1e-10 * device::norm(b));
    expect_same_bits(found, right);
    in_vain = std::max(in_vain, found.calls.graphs - (found.outcome.iterations - 1));
  });
  EXPECT_GT(in_vain, 0);
}

// What the adjoint keeps of earlier solutions is left out of directions without a wait.
TEST_F(CudaCgTest, DeflatesARecycledSpaceThere) {
  make(0.01, 0.1);
  constexpr std::size_t vectors = 3;
  Space space(vectors);
  solve::RecycledSpace on_cpu(vectors);
  for (std::size_t k = 0; k < vectors; ++k) {
    const Solved one = solve(right_hand_side(static_cast<double>(k)), 1e-3);
    space.add(shim_.vector(one.z), *gpu_);
    on_cpu.add(one.z, *objective_);
  }
  objective_->linearise(model_.initial_positions);
  space.turn(*gpu_);
  on_cpu.turn(*objective_);
  const auto b = right_hand_side(0.5);
  std::vector<double> expected = right_hand_side(1.5);
  CudaVector s = shim_.vector(expected);
  (void)shim_.calls();
  space.deflate(shim_.vector(b), s);
  EXPECT_EQ(shim_.calls().waits, 0);
  on_cpu.deflate(b, expected);
  const auto found_s = shim_.values(s);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found_s[i], expected[i], 1e-11 * device::norm(expected));

  const double tolerance = 1e-10 * device::norm(b);
  const Solved right = asking(b, tolerance, most, &space);
  EXPECT_LT(right.outcome.iterations, asking(b, tolerance).outcome.iterations);
  for_each_way([&] { expect_same_bits(solve(b, tolerance, most, &space), right); });
  const Solved found = solve(b, tolerance, most, &space);
  EXPECT_GE(found.calls.graphs, found.outcome.iterations - 1);
  EXPECT_LE(found.calls.waits, static_cast<long>(vectors) + found.outcome.iterations / 2);
}

TEST_F(CudaCgTest, ADriverWithoutGraphsGetsLaunchByLaunch) {
  make(0.01, 0.1);
  const auto b = right_hand_side();
  const Solved right = solve(b, 1e-10 * device::norm(b));
  ::setenv("PROXIMA_CUDA_DRIVER", PROXIMA_FAKE_CUDA_WITHOUT_GRAPHS, 1);
  device::CudaEngine engine(jit::Engine::default_cache());
  solve::Objective objective(model_, engine_, factor::Storage::fp64);
  objective.use(engine);
  const solve::CudaObjective& gpu = *objective.gpu();
  objective.gpu()->follow();
  gpu.linearise(gpu.uploaded(model_.initial_positions));
  Workspace work(gpu);
  CudaVector z = gpu.vector();
  const auto outcome = solve::conjugate_gradients(gpu, gpu.uploaded(b), 1e-10 * device::norm(b), most, true, work, z);
  EXPECT_EQ(outcome.iterations, right.outcome.iterations);
  EXPECT_EQ(shim_.values(z), right.z);
}

}  // namespace
}  // namespace proxima
