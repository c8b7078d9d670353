// An edge that can be three times as long as at rest and no longer.
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(limited) {
  auto k = parameter("k", joule, 5).positive();
  return -2 * k * log(1 - square(norm(edge_vector()) / rest_length() - 1) / 4);
}
