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
  const CudaLinearOperator there = [&](const device::CudaVector& x, device::CudaVector& y) {
    std::vector<double> image(x.size());
    flow(device::testing::CudaShimEngine::values(x), image);
    y.write(image);
  };
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

// One number, less than a chunk of sums, more than one.
INSTANTIATE_TEST_SUITE_P(Sizes, Gmres, testing::Values(1, 60, 5000));

}  // namespace
}  // namespace proxima::contact
