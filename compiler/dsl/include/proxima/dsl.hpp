// The language of energies: everything an author includes. A value written in it is a handle to a node of a formula;
// computing with handles writes the formula down, and Proxima differentiates and compiles what was written.
//
//   #include <proxima/dsl.hpp>
//   using namespace proxima::dsl;
//
//   PROXIMA_ENERGY(linear_spring) {
//     auto k = parameter("k", pascal, 1e5).positive();
//     auto F = deformation_gradient();
//     return 0.5 * k * squared_norm(F - identity());
//   }
//
// Includes nothing, so that a material compiles in a blink; the formulas are kept by the program that the energy is
// linked with or loaded into. docs/language.md lists all there is.
#pragma once

#include "proxima/dsl/energy.hpp"
#include "proxima/dsl/function.hpp"
