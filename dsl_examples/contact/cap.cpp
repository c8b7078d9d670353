// The part of a ball that is within an angle of the z axis, seen from its centre: a ball's cap on a cone that narrows
// downwards. What is wider than the cap hangs over its rim and touches nothing there. After DiffPD's "Napkin", where
// the solid angle of the obstacle says how much of the napkin touches it.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(cap) {
  auto x = input<3>("x");
  auto radius = parameter("radius", metre, 0.5).positive();
  auto angle = parameter("angle", radian, 0.4).between(0, 1.5);
  auto from_axis = norm(vector(x[0], x[1], 0));
  output("phi", max(norm(x) - radius, from_axis * cos(angle) - x[2] * sin(angle)));
}
