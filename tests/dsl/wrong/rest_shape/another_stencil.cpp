// trace: rest_positions<3>() goes with node_positions<3>(), but this energy is of node_positions<4>() at
#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(wrong) {
  auto x = node_positions<4>();
  auto X = rest_positions<3>();  // wrong
  return squared_norm(x[0] - X[0]);
}
