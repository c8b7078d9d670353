// Muscle fibres in a soft body: Min, Won, Lee, Park and Lee, "SoftCon: Simulation and Control of Soft-Bodied Animals
// with Biomimetic Actuators" (2019), in the form of Qiao et al. (2021), appendix D: a fibre F m of length l is drawn to
// the point (1 - a) / l of itself, so that it wants to be 1 - a times as long as at rest. (DiffPD's supplement,
// equation 9, leaves out the division by l.) `muscle_fibre` is the fibre alone; `muscle` has corotated flesh around it.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

namespace {
Scalar fibre(const Mat<3, 3>& F) {
  auto w = parameter("w", pascal, 1e5).positive();           // stiffness of the fibres
  auto a = signal("activation", dimensionless, 0).below(1);  // 0: relaxed; 1: as short as can be
  auto m = direction("fibre", {0, 0, 1});
  return 0.5 * w * square(norm(F * m) - (1 - a));
}
}  // namespace

PROXIMA_ENERGY(muscle_fibre) { return fibre(deformation_gradient()); }

PROXIMA_ENERGY(muscle) {
  auto E = parameter("E", pascal, 1e5).positive();                 // Young's modulus
  auto nu = parameter("nu", dimensionless, 0.4).between(-1, 0.5);  // Poisson's ratio
  auto mu = E / (2 * (1 + nu));
  auto lambda = E * nu / ((1 + nu) * (1 - 2 * nu));

  auto F = deformation_gradient();
  auto R = polar_rotation(F);
  return mu * squared_norm(F - R) + 0.5 * lambda * square(dot(R, F) - 3) + fibre(F);
}
