// Springs along the edges of a mesh: Liu, Bargteil, O'Brien and Kavan, "Fast Simulation of Mass-Spring Systems" (2013),
// where the spring's energy is the distance to the vectors of its length at rest. The stiffness is that of a rod (N),
// so that a finer mesh does not make a thread stiffer. `spring_damping` slows the change of length only.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(mass_spring) {
  auto EA = parameter("EA", newton, 100).positive();  // Young's modulus times cross section
  auto x = edge_vector();
  return projection(EA / rest_length(), x, closest_on_sphere(x, rest_length()));
}

PROXIMA_DISSIPATION(spring_damping) {
  auto c = parameter("c", newton_second_per_metre, 0.1).positive();
  return 0.5 * c * square(rate(norm(edge_vector())));
}
