// trace: weights 'x' is declared twice; the first time as an input at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = input<3>("x");
  auto w = weights<3>("x");  // wrong
  output("y", dot(x, w));
}
