// Linear elasticity: right to first order, for small rotations.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(small_rotations_only) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  auto lambda = parameter("lambda", pascal, 4e4).positive();
  auto strain = symmetric_part(deformation_gradient()) - identity();
  return mu * squared_norm(strain) + 0.5 * lambda * square(trace(strain));
}
