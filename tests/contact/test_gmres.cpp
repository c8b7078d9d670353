// GMRES on the host and, by stand-ins for it (tests/cuda_shim), on a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/contact/gmres.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/cuda_shim/shim.hpp"

namespace proxima::contact {
namespace {

// Three diagonals, not symmetric: flow with some diffusion.
void flow(std::span<const double> u, std::span<double> y) {
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double before = i > 0 ? u[i - 1] : 0, after = i + 1 < u.size() ? u[i + 1] : 0;
    y[i] = 2.5 * u[i] - 1.8 * before - 0.4 * after;
  }
}

std::vector<double> right_hand_side(std::size_t size) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> b(size);
  for (double& entry : b) entry = normal(random);
  return b;
}

double residual(std::span<const double> b, std::span<const double> u) {
  std::vector<double> image(u.size());
  flow(u, image);
  device::combine(image, b, -1, image);
  return device::norm(image);
}

class Gmres : public testing::TestWithParam<std::size_t> {};

TEST_P(Gmres, EndsAtTheToleranceOnEitherDevice) {
  constexpr double tolerance = 1e-10;
  const std::vector<double> b = right_hand_side(GetParam());
  std::vector<double> u(b.size());
  const GmresOutcome here = gmres(flow, b, tolerance, 200, u);
  EXPECT_LE(here.residual, tolerance);
  EXPECT_LE(residual(b, u), 2 * tolerance);

  device::testing::CudaShimEngine shim;
  const CudaLinearOperator there{[&](const device::CudaVector& x, device::CudaVector& y) {
    std::vector<double> image(x.size());
    flow(device::testing::CudaShimEngine::values(x), image);
    y.write(image);
  }};
  const device::CudaVector right = shim.vector(b);
  device::CudaVector solution = device::like(right);
  (void)shim.calls();
  const GmresOutcome outcome = basic_gmres<CudaKrylovBasis>(there, right, tolerance, 200, solution);
  EXPECT_EQ(shim.calls().lookups, 0) << "kernels are looked up when the engine's vectors are made";
  EXPECT_EQ(outcome.iterations, here.iterations);
  const std::vector<double> found = device::testing::CudaShimEngine::values(solution);
  EXPECT_LE(residual(b, found), 2 * tolerance);
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(found[i], u[i], 1e-9);
}

// An operator that only queues work: iterations may be asked for ahead of their need, as graphs.
TEST(GmresOnAGpu, HasTheSameBitsHoweverManyAreAhead) {
  constexpr int nodes = 50, most = 200;
  constexpr double tolerance = 1e-8;
  device::testing::CudaShimEngine shim;
  std::vector<std::int32_t> next(nodes);
  for (int i = 0; i < nodes; ++i) next[static_cast<std::size_t>(i)] = (i + 1) % nodes;
  const auto rows = shim.engine.device().upload(std::as_bytes(std::span(next)));
  device::CudaVector turned(shim.algebra, 3 * nodes);
  const auto op = [&](const device::CudaVector& x, device::CudaVector& y) {
    shim.algebra->nodes_to_rows.each(x.size(), kernels::vector_block, turned.array(), x.array(), rows, 3 * nodes);
    device::combine(y, x, -0.8, turned);
  };
  const device::CudaVector b = shim.vector(right_hand_side(3 * nodes));
  device::CudaAhead& ahead = shim.algebra->ahead;
  struct Run {
    GmresOutcome outcome;
    std::vector<double> u;
    device::testing::CudaShim::Calls calls;
  };
  const auto run = [&](bool queued) {
    device::CudaVector u = device::like(b);
    (void)shim.calls();
    const GmresOutcome outcome = basic_gmres<CudaKrylovBasis>({op, queued}, b, tolerance, most, u);
    const auto calls = shim.calls();
    return Run{outcome, device::testing::CudaShimEngine::values(u), calls};
  };
  const Run one_by_one = run(false);
  EXPECT_GT(one_by_one.outcome.iterations, 30);
  EXPECT_GE(one_by_one.calls.waits, one_by_one.outcome.iterations);
  EXPECT_EQ(one_by_one.calls.graphs, 0);
  for (const bool graphs : {false, true})
    for (const int at_most : {1, 3, 8, 1000}) {
      SCOPED_TRACE(testing::Message() << (graphs ? "graphs" : "launches") << ", up to " << at_most << " ahead");
      ahead.with_graphs = graphs;
      ahead.most = at_most;
      const Run ran = run(true);
      EXPECT_EQ(ran.outcome.iterations, one_by_one.outcome.iterations);
      EXPECT_EQ(ran.outcome.residual, one_by_one.outcome.residual);
      EXPECT_EQ(ran.u, one_by_one.u);
      EXPECT_GE(ran.calls.graphs, graphs ? ran.outcome.iterations - 1 : 0);
      EXPECT_EQ(ran.calls.graphs > 0, graphs);
      if (at_most >= 8) {
        EXPECT_LT(2 * ran.calls.waits, one_by_one.calls.waits);
      }
    }
}

// One number, less than a chunk of sums, more than one.
INSTANTIATE_TEST_SUITE_P(Sizes, Gmres, testing::Values(1, 60, 5000));

}  // namespace
}  // namespace proxima::contact
