// trace: the default of direction 'fibre' is (0, 0, 0), which points nowhere
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto a = direction("fibre", {0, 0, 0});  // wrong
  return squared_norm(deformation_gradient() * a);
}
