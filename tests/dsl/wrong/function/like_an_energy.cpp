// load: function 'spring' is defined twice; the first time at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(spring) { return squared_norm(deformation_gradient()); }
PROXIMA_FUNCTION(spring) { output("y", input("x")); }  // wrong
