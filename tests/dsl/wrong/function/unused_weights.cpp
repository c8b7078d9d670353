// trace: weights 'bias' reaches no output of function 'controller'
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {
  auto x = input("x");
  auto bias = weights<2>("bias");  // wrong
  output("y", 2 * x);
}
