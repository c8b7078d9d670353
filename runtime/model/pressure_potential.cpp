#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"
#include "runtime/model/surface_load.hpp"

namespace {

using namespace proxima::dsl;

PROXIMA_ENERGY(surface_pressure) {
  auto p = signal("pressure", pascal, 0);
  auto x = node_positions<3>();
  return p * dot(x[0], cross(x[1], x[2])) / 6;
}

}  // namespace

namespace proxima::model {

std::shared_ptr<const ir::Energy> pressure_potential() {
  static const auto energy = std::make_shared<const ir::Energy>(dsl::find_energy("surface_pressure"));
  return energy;
}

}  // namespace proxima::model
