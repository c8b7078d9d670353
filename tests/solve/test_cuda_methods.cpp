// Methods on a GPU, by stand-ins for it (tests/cuda_shim): how often they wait for it, and that what they compute there
// is what they compute on the CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/methods/anderson.hpp"
#include "runtime/solve/methods/lbfgs.hpp"
#include "runtime/solve/methods/newton.hpp"
#include "tests/cuda_shim/shim.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/near.hpp"

namespace proxima {
namespace {

using device::CudaVector;
using test::expect_near;
using Numbers = std::vector<double>;

class Random {
 public:
  Numbers numbers(std::size_t count) {
    Numbers result(count);
    for (double& value : result) value = uniform_(engine_);
    return result;
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// A step of a bar, held at an end, that gravity bends.
class CudaMethods : public testing::Test {
 protected:
  void make(int cells, int across) {
    model_ = bodies::make_bar(cells, 0.04, across);
    bodies::hold_end(model_, false);
    model_.time_step = 0.05;
    objective_ = std::make_unique<solve::Objective>(model_, engine_, factor::Storage::fp64);
    objective_->use(shim_.engine);
    gpu_ = objective_->gpu();
    gpu_->follow();
    force_.assign(model_.initial_positions.size(), 0.0);
    for (std::size_t i = 1; i < force_.size(); i += 3) force_[i] = -0.4 / static_cast<double>(force_.size());
    objective_->clear_held(force_);
  }

  solve::Potential potential() const { return {*objective_, model_.initial_positions, force_}; }
  solve::CudaPotential potential_there() const {
    return {*gpu_, gpu_->uploaded(model_.initial_positions), gpu_->uploaded(force_)};
  }

  struct Minimised {
    solve::SolverOutcome outcome;
    Numbers x;
    device::testing::CudaShim::Calls calls{};
  };
  Minimised minimise(solve::Method method, int iterations, double target = 0) {
    const auto there = potential_there();
    CudaVector x = gpu_->uploaded(model_.initial_positions);
    const solve::SolverSettings settings{.method = method, .max_newton = iterations, .max_iterations = iterations};
    (void)shim_.calls();
    const auto outcome = solve::minimise(there, settings, target, x);
    const auto calls = shim_.calls();
    return {outcome, shim_.values(x), calls};
  }

  device::testing::CudaShimEngine shim_;
  jit::Engine engine_;
  model::Model model_;
  std::unique_ptr<solve::Objective> objective_;
  solve::CudaObjective* gpu_ = nullptr;
  Numbers force_;
};

// An iteration of L-BFGS asks for numbers once, one of Anderson's mixing twice, however much they remember. Launches
// are those of one region.
TEST_F(CudaMethods, HardlyWait) {
  make(10, 2);
  constexpr int few = 12, more = 10;
  for (const auto& [method, waits, launches] :
       {std::tuple{solve::Method::lbfgs, 1, 25}, {solve::Method::anderson, 2, 22}}) {
    SCOPED_TRACE(solve::method_entry(method).name);
    const Minimised first = minimise(method, few), all = minimise(method, few + more);
    ASSERT_EQ(all.outcome.iterations, few + more);
    ASSERT_EQ(all.outcome.halvings, 0);
    EXPECT_EQ(all.calls.waits - first.calls.waits, waits * more);
    EXPECT_LE(all.calls.waits, waits * (few + more) + 1);  // the gradient at first
    EXPECT_LE(all.calls.launches - first.calls.launches, launches * more);
  }
  const Minimised admm = minimise(solve::Method::admm, 0);  // until Newton would go on
  ASSERT_GT(admm.outcome.iterations, 10);
  EXPECT_EQ(admm.calls.waits, admm.outcome.iterations + 1);
  EXPECT_LE(admm.calls.launches, 21L * admm.outcome.iterations + 30);
  // Of Newton's, one more than those of CG.
  const Minimised one = minimise(solve::Method::newton, 1);
  CudaVector x = gpu_->uploaded(model_.initial_positions), b = gpu_->uploaded(force_), z = gpu_->vector();
  device::negate(b);
  gpu_->linearise(x);
  solve::BasicCgWorkspace<solve::CudaObjective> work(*gpu_);
  (void)shim_.calls();
  solve::conjugate_gradients(*gpu_, b, 0.3 * device::norm(b), 500, true, work, z);
  EXPECT_EQ(one.calls.waits, shim_.calls().waits - 1 + 2);
}

TEST_F(CudaMethods, EndWhereThoseOfTheCpuDo) {
  make(10, 2);
  for (const auto method : {solve::Method::lbfgs, solve::Method::anderson, solve::Method::automatic,
                            solve::Method::newton, solve::Method::admm}) {
    SCOPED_TRACE(solve::method_entry(method).name);
    const double target = 1e-11 * device::norm(force_);
    const Minimised found = minimise(method, 1000, target);
    const solve::Potential here = potential();
    Numbers x = model_.initial_positions;
    const auto outcome = solve::minimise(here, {.method = method}, target, x);
    EXPECT_EQ(found.outcome.end, outcome.end);
    expect_near(found.x, x, 1e-12, "positions");
    EXPECT_LE(found.outcome.iterations, 1.2 * outcome.iterations + 2);
    EXPECT_EQ(minimise(method, 1000, target).x, found.x);
  }
}

// With more than one partial sum of nodes and of elements.
TEST_F(CudaMethods, KnowAStepByTheNumbersOfTheCpu) {
  make(30, 6);
  ASSERT_GT(model_.initial_positions.size(), 4096u);
  Random random;
  const std::size_t size = model_.initial_positions.size();
  Numbers x = model_.initial_positions, direction = random.numbers(size), measure = random.numbers(size);
  for (double& value : direction) value *= 1e-4;
  objective_->clear_held(direction);
  objective_->clear_held(measure);
  const solve::Potential here = potential();
  const solve::CudaPotential there = potential_there();
  solve::TrialStep<solve::Potential> on_host(here);
  solve::TrialStep<solve::CudaPotential> on_gpu(there);
  CudaVector x_there = shim_.vector(x), gradient_there = gpu_->vector();
  Numbers gradient(size);
  on_host.start(x, gradient);
  on_gpu.start(x_there, gradient_there);
  for (const double length : {1.0, 0.25}) {
    const CudaVector d = shim_.vector(direction), m = shim_.vector(measure);
    const Numbers before = x, gradient_before = gradient;
    on_host.begin(x, gradient, direction, length, measure);
    (void)shim_.calls();
    on_gpu.begin(x_there, gradient_there, d, length, m);
    EXPECT_EQ(shim_.calls().waits, 1);
    const auto near = [](double found, double expected, double scale) { EXPECT_NEAR(found, expected, 1e-12 * scale); };
    near(on_gpu.change(), on_host.change(), std::abs(on_host.change()));
    near(on_gpu.end_norm(), on_host.end_norm(), on_host.end_norm());
    const double along = device::norm(gradient) * device::norm(direction);
    near(on_gpu.first_slope(), on_host.first_slope(), along);
    near(on_gpu.last_slope(), on_host.last_slope(), on_host.end_norm() * device::norm(direction));
    near(on_gpu.slope(), on_host.slope(), device::norm(gradient) * device::norm(measure));
    near(on_gpu.rounding(x_there), on_host.rounding(x), on_host.rounding(x));
    EXPECT_EQ(shim_.calls().waits, 0);
    on_host.take(x, gradient);
    on_gpu.take(x_there, gradient_there);
    EXPECT_EQ(shim_.values(x_there), x);
    expect_near(shim_.values(gradient_there), gradient, 1e-12, "gradient");
    Numbers step = x, change = gradient;
    device::add_scaled(step, -1, before);
    device::add_scaled(change, -1, gradient_before);
    const auto pair = on_gpu.pair();
    ASSERT_TRUE(pair);
    near(pair->step, device::norm(step), device::norm(step));
    near(pair->change, device::norm(change), device::norm(gradient));
    near(pair->product, device::dot(step, change), device::norm(step) * device::norm(gradient));
    near(on_gpu.rounding(x_there), on_host.rounding(x), on_host.rounding(x));
    EXPECT_EQ(shim_.calls().waits, 3);  // two vectors that were read here, and what is of another place
  }
}

// More pairs than are kept, some that are refused, and one that is taken out while there is none for its place.
TEST_F(CudaMethods, PairsOfLbfgsAreThoseOfTheCpu) {
  constexpr std::size_t size = 5000;
  for (const int window : {1, 3, 8, 20}) {
    SCOPED_TRACE(window);
    Random random;
    const Numbers stiffness = random.numbers(size);
    solve::LbfgsPairs<solve::Objective> here(window);
    solve::LbfgsPairs<solve::CudaObjective> there(window);
    for (int k = 0; k < window + 4; ++k) {
      Numbers step = random.numbers(size), change = random.numbers(size);
      for (std::size_t i = 0; i < size; ++i) change[i] = (1.5 + stiffness[i]) * step[i] + 0.2 * change[i];
      if (k % 3 == 2) device::negate(change);
      if (k % 4 == 3 && here.full()) {
        (void)here.take_oldest();
        (void)there.take_oldest();
      }
      const Numbers image = random.numbers(size);
      std::optional<solve::PairNumbers> known;
      if (k % 2 == 0) known = {device::dot(step, change), device::norm(step), device::norm(change)};
      CudaVector s = shim_.vector(step), y = shim_.vector(change), z = shim_.vector(image);
      (void)shim_.calls();
      there.add({std::move(s), std::move(y), std::move(z)}, known);
      EXPECT_EQ(shim_.calls().waits, known ? 0 : 1);
      here.add({step, change, image});
      ASSERT_EQ(there.empty(), here.empty());
      Numbers left = random.numbers(size), result = random.numbers(size);
      CudaVector left_there = shim_.vector(left), result_there = shim_.vector(result);
      (void)shim_.calls();
      there.take_shares(left_there);
      there.take_images(result_there);
      there.give_shares(result_there);
      EXPECT_EQ(shim_.calls().waits, 0);
      here.take_shares(left);
      here.take_images(result);
      here.give_shares(result);
      expect_near(shim_.values(left_there), left, 1e-13, "left");
      expect_near(shim_.values(result_there), result, 1e-13, "result");
    }
    there.clear();
    EXPECT_TRUE(there.empty());
  }
}

TEST_F(CudaMethods, MixingIsThatOfTheCpu) {
  constexpr std::size_t size = 5000;
  for (const int window : {1, 5, 20}) {
    SCOPED_TRACE(window);
    Random random;
    solve::Mixing here(window);
    solve::BasicMixing<solve::CudaObjective> there(window);
    int mixed = 0;
    for (int k = 0; k < window + 6; ++k) {
      if (k == window + 3) {
        here.drop();
        there.drop();
      }
      const Numbers x = random.numbers(size), f = random.numbers(size);
      const CudaVector on_x = shim_.vector(x), on_f = shim_.vector(f);
      const auto expected = here.direction(x, f);
      (void)shim_.calls();
      const auto found = there.direction(on_x, on_f);
      EXPECT_EQ(shim_.calls().waits, expected ? 1 : 0);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) continue;
      ++mixed;
      expect_near(shim_.values(*found), *expected, 1e-11, "direction");
    }
    EXPECT_GT(mixed, window);
  }
}

}  // namespace
}  // namespace proxima
