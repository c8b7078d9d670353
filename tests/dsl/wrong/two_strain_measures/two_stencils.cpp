// trace: node_positions<3>() here, but node_positions<4>() at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto x = node_positions<4>();
  auto y = node_positions<3>();  // wrong
  return squared_norm(x[0] - y[1]);
}
