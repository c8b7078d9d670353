#include <string>
#include <type_traits>

#include "compiler/ir/serialize.hpp"
#include "compiler/support/hash.hpp"
#include "runtime/model/trajectory.hpp"

namespace proxima::model {
namespace {

// Appends values and sizes, so that no two different models give the same bytes.
class Bytes {
 public:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    } else {
      put(static_cast<std::uint64_t>(std::size(value)));
      for (const auto& entry : value) put(entry);
    }
  }
  Hash hash() const { return hash_bytes(bytes_); }

 private:
  std::string bytes_;
};

// What the energy or function computes, not the text it was written in: an edited comment makes no other material, an
// edited header that it includes does.
std::string formula_bytes(const auto& formula, std::uint32_t slots) {
  ir::Kernel kernel;
  kernel.inputs = {{"inputs", ir::Access::uniform, slots}};
  kernel.graph = formula.graph;
  kernel.results = ir::roots_of(formula);
  return ir::key_bytes(kernel);
}

void put_elements(const mesh::Elements& elements, Bytes& bytes) {
  bytes.put(elements.shape);
  bytes.put(elements.corners);
  bytes.put(elements.nodes);
}

void put_table(const auto& table, auto first, auto second, Bytes& bytes) {
  bytes.put(static_cast<std::uint64_t>(table.size()));
  for (const auto& entry : table) {
    bytes.put(entry.*first);
    bytes.put(entry.*second);
  }
}

void put_inputs(const Region& region, Bytes& bytes) {
  const ir::Energy& energy = *region.energy;
  bytes.put(energy.measure);
  bytes.put(energy.dissipation);
  for (const auto& input : energy.inputs) {
    bytes.put(input.kind);
    bytes.put(input.initial);
  }
  bytes.put(region.directions);
  for (const auto& signal : region.signals) put_table(signal, &SignalKey::time, &SignalKey::value, bytes);
}

void put_load(const FollowerPressure& load, Bytes& bytes) {
  put_table(load.pressure, &SignalKey::time, &SignalKey::value, bytes);
}

void put_load(const Hydrodynamics& load, Bytes& bytes) {
  using Coefficient = Hydrodynamics::Coefficient;
  bytes.put(load.density);
  bytes.put(load.flow);
  for (const auto* table : {&load.drag, &load.thrust})
    put_table(*table, &Coefficient::angle, &Coefficient::value, bytes);
}

void put_motion(const std::vector<KeyFrame>& motion, Bytes& bytes) {
  for (const auto& key : motion) {
    bytes.put(key.time);
    bytes.put(key.translation);
    bytes.put(key.rotation);
  }
}

void put_shape(const AnalyticDistance& shape, Bytes& bytes) {
  std::uint32_t slots = 3;
  for (const auto& parameter : shape.parameters) slots += static_cast<std::uint32_t>(parameter.size());
  bytes.put(formula_bytes(*shape.function, slots));
  bytes.put(shape.parameters);
}

void put_shape(const HeightField& shape, Bytes& bytes) {
  bytes.put(shape.points);
  bytes.put(shape.lower);
  bytes.put(shape.spacing);
  bytes.put(shape.heights);
}

void put_shape(const DistanceGrid& shape, Bytes& bytes) {
  bytes.put(shape.points);
  bytes.put(shape.lower);
  bytes.put(shape.spacing);
  bytes.put(shape.distance);
}

void put_shape(const ClosedSurface& shape, Bytes& bytes) {
  bytes.put(shape.nodes);
  bytes.put(shape.triangles);
}

void put_contact(const ContactPair& pair, Bytes& bytes) {
  bytes.put(pair.body);
  bytes.put(pair.with_obstacle);
  bytes.put(pair.other);
  bytes.put(pair.friction);
  bytes.put(pair.restitution);
  bytes.put(pair.thickness);
  bytes.put(pair.friction_across);
  bytes.put(pair.friction_direction);
  bytes.put(pair.friction_crossed);
  bytes.put(pair.other_direction);
  const auto penalty = pair.penalty.value_or(Penalty{});
  bytes.put(penalty.stiffness);
  bytes.put(penalty.exponent);
  bytes.put(penalty.slip_speed);
}

void put_controller(const Controller& controller, Bytes& bytes) {
  std::uint32_t slots = 0;
  for (const auto& input : controller.inputs) slots += input.components();
  for (const auto& parameter : controller.parameters) slots += static_cast<std::uint32_t>(parameter.size());
  bytes.put(formula_bytes(*controller.function, slots));
  bytes.put(controller.parameters);
  for (const auto& input : controller.inputs) {
    bytes.put(input.of);
    bytes.put(static_cast<std::uint64_t>(input.points.size()));
    for (const auto& point : input.points) {
      bytes.put(point.nodes);
      bytes.put(point.weights);
      bytes.put(point.offset);
    }
  }
  for (const auto& output : controller.function->outputs) bytes.put(static_cast<std::uint64_t>(output.roots.size()));
  for (const auto& drive : controller.drives)
    for (const std::size_t number : {drive.output, drive.component, drive.region, drive.parameter})
      bytes.put(static_cast<std::uint64_t>(number));
}

}  // namespace

Hash fingerprint(const Model& model) {
  Bytes bytes;
  bytes.put(model.mesh.nodes);
  for (const auto& block : model.mesh.blocks) put_elements(block.elements, bytes);
  for (const auto& region : model.regions) {
    bytes.put(formula_bytes(*region.energy, region.energy->slots()));
    put_elements(region.elements, bytes);
    bytes.put(region.numbers);
    bytes.put(region.parameters);
    bytes.put(region.density);
    bytes.put(region.relative_density);
    bytes.put(region.overlay);
    put_inputs(region, bytes);
    bytes.put(region.damping.mass);
    bytes.put(region.damping.stiffness);
  }
  for (const auto& dirichlet : model.dirichlet) {
    bytes.put(dirichlet.nodes);
    bytes.put(dirichlet.pivot);
    put_motion(dirichlet.motion, bytes);
  }
  for (const auto& force : model.forces) {
    bytes.put(force.nodes);
    bytes.put(force.force);
    bytes.put(force.begin);
    bytes.put(force.end);
    bytes.put(force.share);
    put_table(force.factor, &SignalKey::time, &SignalKey::value, bytes);
  }
  for (const auto& load : model.surface_loads) {
    put_elements(load.triangles, bytes);
    bytes.put(load.kind.index());
    std::visit([&](const auto& kind) { put_load(kind, bytes); }, load.kind);
  }
  for (const auto& controller : model.controllers) put_controller(controller, bytes);
  for (const auto& obstacle : model.obstacles) {
    bytes.put(obstacle.shape.index());
    std::visit([&](const auto& shape) { put_shape(shape, bytes); }, obstacle.shape);
    put_motion(obstacle.motion, bytes);
    bytes.put(obstacle.friction_direction);
  }
  for (const auto& pair : model.contacts) put_contact(pair, bytes);
  for (const auto& tie : model.ties) {
    bytes.put(tie.to);
    for (const auto& tied : tie.tied) {
      bytes.put(tied.nodes);
      bytes.put(tied.weights);
      bytes.put(tied.at);
    }
  }
  bytes.put(model.gravity);
  bytes.put(model.initial_positions);
  bytes.put(model.initial_velocities);
  bytes.put(model.time_step);
  bytes.put(model.integrator);
  bytes.put(model.lumping);
  return bytes.hash();
}

}  // namespace proxima::model
