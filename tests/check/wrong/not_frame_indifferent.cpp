// F - 1 is no strain: it is not zero for a rotation.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(not_frame_indifferent) {
  auto k = parameter("k", pascal, 3e4).positive();
  return 0.5 * k * squared_norm(deformation_gradient() - identity());
}
