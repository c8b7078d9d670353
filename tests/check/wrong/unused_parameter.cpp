// lambda is declared and forgotten.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(unused_parameter) {
  auto mu = parameter("mu", pascal, 3e4).positive();
  parameter("lambda", pascal, 3e4).positive();
  auto F = deformation_gradient();
  auto log_J = log(det(F));
  return 0.5 * mu * (squared_norm(F) - 3) - mu * log_J + mu * square(log_J);
}
