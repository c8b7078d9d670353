// Compressible Mooney-Rivlin rubber: Holzapfel, "Nonlinear Solid Mechanics" (2000), section 6.5, in the invariants of
// C = F^T F. The factor of log J keeps the rest state free of stress. The shear modulus is 2 (c1 + c2).
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(mooney_rivlin) {
  auto c1 = parameter("c1", pascal, 3e4).positive();
  auto c2 = parameter("c2", pascal, 5e3).positive();
  auto c = parameter("c", pascal, 1e5).positive();  // resistance to change of volume

  auto F = deformation_gradient();
  auto J = det(F);
  auto I1 = squared_norm(F);            // trace of C
  auto I2 = squared_norm(cofactor(F));  // trace of the cofactor of C
  return c * square(J - 1) - 2 * (c1 + 2 * c2) * log(J) + c1 * (I1 - 3) + c2 * (I2 - 3);
}
