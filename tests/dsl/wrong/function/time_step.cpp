// trace: time_step() belongs into an energy
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = input("x");
  output("y", x / time_step());  // wrong
}
