// Energies for the tests of the runtime, written in the language.
#pragma once

#include <memory>

#include "compiler/ir/energy.hpp"

namespace proxima::bodies {

// mu/2 (tr F^T F - 3) - mu ln J + lambda/2 ln^2 J; parameters mu, lambda. Infinite at J = 0, no value beyond.
std::shared_ptr<const ir::Energy> log_neo_hookean();

// The same by Young's modulus E and Poisson's ratio nu.
std::shared_ptr<const ir::Energy> log_neo_hookean_engineering();

// mu/2 (tr F^T F - 3) + lambda/2 (J - 1 - mu/lambda)^2, which has a value for inverted elements too.
std::shared_ptr<const ir::Energy> invertible_neo_hookean();

// mu |F - R|^2 + 3 lambda/2 |F - S|^2, R and S the nearest rotation and the nearest matrix of determinant `volume`:
// springs to closest points, of which the third parameter, `volume`, moves one.
std::shared_ptr<const ir::Energy> projective();

}  // namespace proxima::bodies
