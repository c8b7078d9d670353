// trace: signal(...) belongs into an energy
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = signal("x", newton, 1);  // wrong
  output("y", x);
}
