// As rigid as possible: Chao, Pinkall, Sanan and Schroeder, "A Simple Geometric Model for Elastic Deformations" (2010).
// The distance of F to the rotations, written in the principal stretches. For shapes that should keep their look; it is
// a solid of shear modulus mu without resistance to a change of volume of its own (Poisson's ratio 0).
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ISOTROPIC(arap) {
  auto mu = parameter("mu", pascal, 5e4).positive();  // shear modulus
  return mu * (square(s1 - 1) + square(s2 - 1) + square(s3 - 1));
}
