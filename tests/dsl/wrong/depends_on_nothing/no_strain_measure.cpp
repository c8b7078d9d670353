// trace: does not depend on any strain measure
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) { return 2 * parameter("mu", pascal, 1); }  // wrong
