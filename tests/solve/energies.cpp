#include "tests/solve/energies.hpp"

#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"

namespace {

using namespace proxima::dsl;

Scalar density(const Scalar& mu, const Scalar& lambda) {
  const auto F = deformation_gradient();
  const Scalar logarithm = log(det(F));
  return 0.5 * mu * (squared_norm(F) - 3) - mu * logarithm + 0.5 * lambda * square(logarithm);
}

PROXIMA_ENERGY(log_neo_hookean) {
  const auto mu = parameter("mu", pascal, 1e5).positive();
  const auto lambda = parameter("lambda", pascal, 1e5).positive();
  return density(mu, lambda);
}

PROXIMA_ENERGY(log_neo_hookean_engineering) {
  const auto E = parameter("E", pascal, 1e5).positive();
  const auto nu = parameter("nu", dimensionless, 0.3).between(0, 0.5);
  return density(E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu)));
}

PROXIMA_ENERGY(invertible_neo_hookean) {
  const auto mu = parameter("mu", pascal, 1e5).positive();
  const auto lambda = parameter("lambda", pascal, 1e5).positive();
  const auto F = deformation_gradient();
  return 0.5 * mu * (squared_norm(F) - 3) + 0.5 * lambda * square(det(F) - 1 - mu / lambda);
}

PROXIMA_ENERGY(projective) {
  const auto mu = parameter("mu", pascal, 1e5).positive();
  const auto lambda = parameter("lambda", pascal, 1e5).positive();
  const auto volume = parameter("volume", dimensionless, 1).positive();
  const auto F = deformation_gradient();
  return projection(2 * mu, F, closest_rotation(F)) + projection(3 * lambda, F, closest_with_determinant(F, volume));
}

}  // namespace

namespace proxima::bodies {

std::shared_ptr<const ir::Energy> log_neo_hookean() {
  return std::make_shared<ir::Energy>(dsl::find_energy("log_neo_hookean"));
}

std::shared_ptr<const ir::Energy> log_neo_hookean_engineering() {
  return std::make_shared<ir::Energy>(dsl::find_energy("log_neo_hookean_engineering"));
}

std::shared_ptr<const ir::Energy> invertible_neo_hookean() {
  return std::make_shared<ir::Energy>(dsl::find_energy("invertible_neo_hookean"));
}

std::shared_ptr<const ir::Energy> projective() { return std::make_shared<ir::Energy>(dsl::find_energy("projective")); }

}  // namespace proxima::bodies
