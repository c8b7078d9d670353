// trace: deformation_gradient() belongs into an energy; 'controller' is a function
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto F = deformation_gradient();  // wrong
  output("trace", trace(F));
}
