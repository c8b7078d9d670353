// compile: this is an input, which cannot be changed
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = input<2>("x");
  x(1) = 3;  // wrong
  output("y", x);
}
