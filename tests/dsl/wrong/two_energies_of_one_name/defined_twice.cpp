// load: energy 'twice' is defined twice; the first time at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(twice) { return det(deformation_gradient()); }
PROXIMA_ENERGY(twice) { return trace(deformation_gradient()); }  // wrong
