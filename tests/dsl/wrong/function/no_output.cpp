// trace: function 'controller' has no output; end it with output("name", value)
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(controller) {  // wrong
  input("x");
}
