// compile: return
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = input("x");
  return 2 * x;  // wrong
}
