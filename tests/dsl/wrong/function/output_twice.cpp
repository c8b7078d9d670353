// trace: output 'y' is given twice; the first time at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = input("x");
  output("y", x);
  output("y", 2 * x);  // wrong
}
