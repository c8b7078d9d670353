// trace: input 'x' is declared twice; the first time at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = input("x");
  auto y = input<3>("x");  // wrong
  output("y", x + y[0]);
}
