#include "runtime/model/builtin_energies.hpp"

#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"

namespace {

using namespace proxima::dsl;

PROXIMA_ENERGY(proxima_spring) {
  auto k = parameter("stiffness", newton_per_metre, 1).positive();
  auto l = parameter("rest_length", metre, 1).positive();
  auto x = node_positions<2>();
  return 0.5 * k * square(norm(x[1] - x[0]) - l);
}

PROXIMA_ENERGY(proxima_joint) {
  auto k = parameter("stiffness", newton_per_metre, 1).positive();
  auto x = node_positions<2>();
  return 0.5 * k * squared_norm(x[1] - x[0]);
}

PROXIMA_ENERGY(proxima_anchor) {
  auto k = parameter("stiffness", newton_per_metre, 1).positive();
  auto point = vector(parameter("x", metre, 0), parameter("y", metre, 0), parameter("z", metre, 0));
  auto x = node_positions<1>();
  return 0.5 * k * squared_norm(x[0] - point);
}

PROXIMA_ENERGY(proxima_pressure) {
  auto p = signal("pressure", pascal, 0);
  auto x = node_positions<3>();
  return p * dot(x[0], cross(x[1], x[2])) / 6;
}

std::shared_ptr<const proxima::ir::Energy> find(const char* name) {
  return std::make_shared<const proxima::ir::Energy>(find_energy(name));
}

}  // namespace

namespace proxima::model {

std::shared_ptr<const ir::Energy> spring_energy() {
  static const auto energy = find("proxima_spring");
  return energy;
}

std::shared_ptr<const ir::Energy> joint_energy() {
  static const auto energy = find("proxima_joint");
  return energy;
}

std::shared_ptr<const ir::Energy> anchor_energy() {
  static const auto energy = find("proxima_anchor");
  return energy;
}

std::shared_ptr<const ir::Energy> pressure_energy() {
  static const auto energy = find("proxima_pressure");
  return energy;
}

}  // namespace proxima::model
