// The rollout and the gradients of another program on the same scene. Its folder is not part of the repository: where
// it is absent the test skips.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/adjoint/adjoint.hpp"
#include "tests/adjoint/diffpd_loss.hpp"

namespace proxima {
namespace {

// DiffPD's own projective method at 1e-4 is 1.1e-5 m from its reference and 1e-3 of the gradient.
TEST(DiffpdCantilever, IsReproducedWithItsGradients) {
  const auto folder = bodies::reference_folder();
  if (!folder) GTEST_SKIP() << "the folder reference is absent; set PROXIMA_SHARED_DATA to the one it is in";
  const auto expected = bodies::read_diffpd_cantilever(*folder);
  jit::Engine engine;
  const solve::Objective objective(expected.model, engine);
  const auto states =
      solve::simulate(objective, expected.model, {.tolerance = 1e-5}, solve::initial_state(expected.model));
  adjoint::Tape tape(states);
  const auto found =
      adjoint::backward(objective, expected.model, {}, {.tolerance = 1e-5}, test::diffpd_loss(expected), tape);

  EXPECT_LT(test::largest_distance(states.back().positions, expected.positions), 1e-6);
  EXPECT_LT(test::relative_distance(states.back().velocities, expected.velocities), 1e-4);
  EXPECT_NEAR(device::norm(states.back().positions), expected.positions_norm, 1e-6);
  EXPECT_NEAR(found.loss, expected.loss, 1e-4);
  EXPECT_LT(test::relative_distance(found.positions, expected.position_gradient), 1e-4);
  EXPECT_LT(test::relative_distance(found.velocities, expected.velocity_gradient), 1e-3);
  EXPECT_LT(test::relative_distance(found.regions[1].parameters[1], expected.activation_gradient), 1e-3);
  EXPECT_NEAR(found.regions[0].parameters[0][0] / expected.young_gradient, 1, 1e-3);
  EXPECT_NEAR(found.regions[0].parameters[1][0] / expected.poisson_gradient, 1, 1e-3);
  EXPECT_NEAR(device::norm(found.nodal_forces) / expected.force_gradient_norm, 1, 1e-3);
}

}  // namespace
}  // namespace proxima
