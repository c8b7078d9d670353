// What a model must satisfy before anything is simulated.
#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/model/equilibrium.hpp"
#include "runtime/model/model.hpp"
#include "runtime/model/validate_contacts.hpp"
#include "runtime/model/validate_loads.hpp"

namespace proxima::model {
namespace {

bool all_finite(const auto& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

void check_nodes(const std::vector<std::int32_t>& nodes, std::size_t count, const std::string& who) {
  for (const auto node : nodes) {
    if (node < 0 || static_cast<std::size_t>(node) >= count) {
      fail("{}: node {} does not exist, the mesh has nodes 0 to {}", who, node, count - 1);
    }
  }
}

// Which measure of deformation the elements of each shape have.
struct MeasureRow {
  ir::Measure measure;
  const char* name;
  std::vector<mesh::Shape> shapes;
};
const MeasureRow& measure_row(ir::Measure measure) {
  using enum mesh::Shape;
  static const MeasureRow rows[] = {
      {ir::Measure::deformation_gradient, "the deformation gradient of a solid", {tetrahedron, hexahedron}},
      {ir::Measure::surface_deformation_gradient, "the deformation gradient of a membrane", {triangle}},
      {ir::Measure::edge_vector, "the vector of an edge", {edge}},
      {ir::Measure::node_positions, "the positions of a stencil's nodes", {hinge, stencil, point, edge, triangle}},
  };
  return rows[static_cast<std::size_t>(measure)];
}

void check_numbers(const Region& region, const mesh::Elements& block) {
  const auto label = mesh::shape_row(block.shape).label;
  if (region.numbers.size() != region.elements.count())
    fail("region '{}': {} numbers of {}s are given for {} elements", region.name, region.numbers.size(), label,
         region.elements.count());
  if (!std::is_sorted(region.numbers.begin(), region.numbers.end()))
    fail("region '{}': its {}s are not in increasing order", region.name, label);
  for (std::size_t e = 0; e < region.numbers.size(); ++e) {
    const auto number = region.numbers[e];
    if (number < 0 || static_cast<std::size_t>(number) >= block.count())
      fail("region '{}': {} {} does not exist, the mesh has {}s 0 to {}", region.name, label, number, label,
           static_cast<std::int64_t>(block.count()) - 1);
    const auto mine = region.elements.of(e), listed = block.of(static_cast<std::size_t>(number));
    if (!std::equal(mine.begin(), mine.end(), listed.begin(), listed.end()))
      fail("region '{}': its {} {} has other nodes than that of the mesh", region.name, label, number);
  }
}

void check_elements(const Region& region, const Model& model) {
  const auto& elements = region.elements;
  const auto& row = measure_row(region.energy->measure);
  const auto& shape = mesh::shape_row(elements.shape);
  if (std::find(row.shapes.begin(), row.shapes.end(), elements.shape) == row.shapes.end())
    fail("region '{}': the energy '{}' is a function of {}, which elements of the shape '{}' do not have", region.name,
         region.energy->name, row.name, shape.name);
  if (region.energy->measure == ir::Measure::node_positions &&
      region.energy->stencil != static_cast<std::uint32_t>(elements.corners))
    fail("region '{}': the energy '{}' is a function of {} nodes, its elements have {}", region.name,
         region.energy->name, region.energy->stencil, elements.corners);
  if (elements.count() == 0) fail("region '{}' has no elements", region.name);
  check_nodes(elements.nodes, model.mesh.nodes.size(), fmt::format("region '{}'", region.name));
  if (!region.numbers.empty()) check_numbers(region, mesh::elements(model.mesh, elements.shape));
}

// Solids have mass, all from the region that owns them; other elements may have some, if they have a measure.
void check_density(const Region& region) {
  const double density = region.density;
  const int dimension = mesh::shape_row(region.elements.shape).dimension;
  if ((region.overlay || dimension == 0) && density != 0)
    fail("region '{}': density is {}, it must be 0: {}", region.name, density,
         region.overlay ? "the mass is that of the region that owns the elements" : "its elements have no measure");
  if (region.overlay || (dimension < 3 && density == 0)) return;
  if (!(density > 0) || !std::isfinite(density))
    fail("region '{}': density is {} kg/m^3, it must be above 0", region.name, density);
}

void check_relative_density(const Region& region) {
  const auto& relative = region.relative_density;
  if (relative.empty()) return;
  if (relative.size() != region.elements.count())
    fail("region '{}': {} relative densities are given for {} elements", region.name, relative.size(),
         region.elements.count());
  for (std::size_t e = 0; e < relative.size(); ++e)
    if (!(relative[e] > 0) || !std::isfinite(relative[e]))
      fail("region '{}': density at {} is {} kg/m^3, it must be above 0", region.name, element_name(region, e),
           relative[e] * region.density);
}

void check_value(const Region& region, std::size_t k, double value, const std::string& where) {
  const auto& parameter = region.energy->parameters[k];
  if (value > parameter.lower && value < parameter.upper && std::isfinite(value)) return;
  fail("region '{}': parameter '{}'{} is {}, it must satisfy {}", region.name, parameter.name, where, value,
       interval_text(parameter));
}

void check_signal(const Region& region, std::size_t k) {
  const auto& name = region.energy->parameters[k].name;
  const auto& signal = region.signals[k];
  if (!region.energy->parameters[k].varies_in_time)
    fail("region '{}': parameter '{}' is given by key frames, but the energy '{}' declares it constant in time",
         region.name, name, region.energy->name);
  if (region.parameters[k].size() != 1)
    fail("region '{}': parameter '{}' has key frames and {} values, it needs one value for the region", region.name,
         name, region.parameters[k].size());
  for (std::size_t i = 0; i < signal.size(); ++i) {
    if (!std::isfinite(signal[i].time))
      fail("region '{}': parameter '{}': the time of key frame {} is {}", region.name, name, i, signal[i].time);
    if (i > 0 && signal[i].time <= signal[i - 1].time)
      fail("region '{}': parameter '{}': key frame {} is at {} s, after one at {} s; times must increase", region.name,
           name, i, signal[i].time, signal[i - 1].time);
    check_value(region, k, signal[i].value, fmt::format(" in key frame {}", i));
  }
}

void check_parameters(const Region& region, std::size_t elements) {
  const auto& declared = region.energy->parameters;
  if (region.parameters.size() != declared.size()) {
    fail("region '{}': {} parameters are given, the energy '{}' has {}", region.name, region.parameters.size(),
         region.energy->name, declared.size());
  }
  if (!region.signals.empty() && region.signals.size() != declared.size())
    fail("region '{}': {} signals are given, it needs none or one for each of {} parameters", region.name,
         region.signals.size(), declared.size());
  for (std::size_t k = 0; k < declared.size(); ++k) {
    const auto& values = region.parameters[k];
    if (values.size() != 1 && values.size() != elements) {
      fail("region '{}': parameter '{}' has {} values, it needs 1 or {} (one an element of the region)", region.name,
           declared[k].name, values.size(), elements);
    }
    if (varies_in_time(region, k) && !is_driven(region, k)) {
      check_signal(region, k);
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      check_value(region, k, values[i], values.size() == 1 ? "" : " at " + element_name(region, i));
    }
  }
}

void check_directions(const Region& region, std::size_t elements) {
  std::vector<std::string> names;
  for (const auto& input : region.energy->inputs) {
    if (input.kind != ir::InputKind::direction) continue;
    const bool given = names.size() < region.directions.size() && !region.directions[names.size()].empty();
    names.push_back(input.name);
    if (!given && input.initial.empty())
      fail("region '{}': the energy '{}' needs the direction '{}', for which it has no default", region.name,
           region.energy->name, input.name);
  }
  if (region.directions.empty()) return;
  if (region.directions.size() != names.size())
    fail("region '{}': {} direction fields are given, the energy '{}' has {}", region.name, region.directions.size(),
         region.energy->name, names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& field = region.directions[k];
    if (field.size() != 1 && field.size() != elements)
      fail("region '{}': direction '{}' has {} vectors, it needs 1 or {} (one an element of the region)", region.name,
           names[k], field.size(), elements);
    for (std::size_t i = 0; i < field.size(); ++i) {
      const double length = std::hypot(field[i][0], field[i][1], field[i][2]);
      if (length > 0 && std::isfinite(length)) continue;
      fail("region '{}': direction '{}'{} is [{}, {}, {}], which is not a vector with a length", region.name, names[k],
           field.size() == 1 ? "" : " at " + element_name(region, i), field[i][0], field[i][1], field[i][2]);
    }
  }
}

void check_damping(const Region& region, std::size_t elements) {
  const double mass = region.damping.mass;
  if (!(mass >= 0) || !std::isfinite(mass))
    fail("region '{}': damping.mass is {} 1/s, it must not be negative", region.name, mass);
  const auto& stiffness = region.damping.stiffness;
  if (stiffness.empty()) return;
  if (stiffness.size() != 1 && stiffness.size() != elements)
    fail("region '{}': damping.stiffness has {} values, it needs 1 or {} (one an element of the region)", region.name,
         stiffness.size(), elements);
  for (const double value : stiffness)
    if (!(value >= 0) || !std::isfinite(value))
      fail("region '{}': damping.stiffness is {} s, it must not be negative", region.name, value);
  if (region.energy->dissipation)
    fail("region '{}': the energy '{}' is one of dissipation, which damping.stiffness cannot be for", region.name,
         region.energy->name);
}

// Update rules take a history from the start of one step to its end, and BDF2 starts in no state that there was.
void check_history(const Region& region, Integrator integrator) {
  if (integrator_row(integrator).before == 0 || region.energy->find(ir::InputKind::history) == nullptr) return;
  fail(
      "material '{}': its energy '{}' has a history, whose update rule is for one step from the state before; with the "
      "integrator {} it has no meaning, implicit_euler is right",
      region.name, region.energy->name, integrator_row(integrator).name);
}

void check_region(const Region& region, const Model& model) {
  if (!region.energy) fail("region '{}' has no energy", region.name);
  check_density(region);
  check_history(region, model.integrator);
  check_elements(region, model);
  check_relative_density(region);
  const std::size_t count = region.elements.count();
  check_parameters(region, count);
  check_directions(region, count);
  check_damping(region, count);
}

// Solids without a material would be holes; triangles and edges may be there to name parts of a surface only.
void check_cover(const Model& model) {
  constexpr std::int32_t none = -1;
  for (const auto& [elements, tags] : model.mesh.blocks) {
    const auto& [name, plural, label, unit, corners, dimension, points] = mesh::shape_row(elements.shape);
    std::vector<std::int32_t> owner(elements.count(), none);
    for (std::size_t r = 0; r < model.regions.size(); ++r) {
      if (model.regions[r].overlay || model.regions[r].elements.shape != elements.shape) continue;
      for (const auto number : model.regions[r].numbers) {
        if (owner[number] != none)
          fail("{} {} is in region '{}' and in region '{}', it must be in one", label, number,
               model.regions[owner[number]].name, model.regions[r].name);
        owner[number] = static_cast<std::int32_t>(r);
      }
    }
    const auto free = std::count(owner.begin(), owner.end(), none);
    if (free > 0 && dimension == 3)
      fail("{} of {} {}s are in no region (the first is {} {}); give them a material", free, owner.size(), label, label,
           std::find(owner.begin(), owner.end(), none) - owner.begin());
  }
}

void check_dirichlet(const Model& model) {
  std::vector<bool> held(model.mesh.nodes.size(), false);
  for (std::size_t d = 0; d < model.dirichlet.size(); ++d) {
    const auto& dirichlet = model.dirichlet[d];
    const auto who = fmt::format("dirichlet {}", d);
    check_nodes(dirichlet.nodes, held.size(), who);
    for (const auto node : dirichlet.nodes) {
      if (held[node]) fail("{}: {} is held twice", who, node_name(model.bodies, static_cast<std::size_t>(node)));
      held[node] = true;
    }
    for (std::size_t k = 0; k < dirichlet.motion.size(); ++k) {
      const auto& key = dirichlet.motion[k];
      if (!std::isfinite(key.time) || !all_finite(key.translation) || !all_finite(key.rotation)) {
        fail("{}: key frame {} is not finite", who, k);
      }
      if (k > 0 && key.time <= dirichlet.motion[k - 1].time) {
        fail("{}: key frame {} is at {} s, after one at {} s; times must increase", who, k, key.time,
             dirichlet.motion[k - 1].time);
      }
    }
  }
  if (std::find(held.begin(), held.end(), false) == held.end()) {
    fail("all {} nodes are held, so nothing can move", held.size());
  }
}

// Without inertia a free node that nothing holds would have no position at all.
void check_mass(const Model& model) {
  auto mass = lumped_mass(model);
  for (const auto& dirichlet : model.dirichlet)
    for (const auto node : dirichlet.nodes) mass[node] = 1;
  const auto none = std::find(mass.begin(), mass.end(), 0.0);
  if (none != mass.end())
    fail("{} has no mass: no element with a density touches it",
         node_name(model.bodies, static_cast<std::size_t>(none - mass.begin())));
}

}  // namespace

std::string interval_text(const ir::Parameter& parameter) {
  const bool below = std::isfinite(parameter.lower), above = std::isfinite(parameter.upper);
  std::string text = parameter.name;
  if (below) text = fmt::format("{} < {}", parameter.lower, text);
  if (above) text += fmt::format(" < {}", parameter.upper);
  return below || above ? text : text + " finite";
}

void validate(const Model& model) {
  const std::size_t nodes = model.mesh.nodes.size();
  if (model.regions.empty()) fail("no material is given");
  for (const auto& region : model.regions) check_region(region, model);
  check_cover(model);
  check_dirichlet(model);
  for (const auto& region : model.regions)
    if (model.lumping == Lumping::uniform && !region.relative_density.empty())
      fail(
          "region '{}': a density for each element does not go with a mass that is the same at every node; the shared "
          "lumping of mass is right",
          region.name);
  if (integrator_row(model.integrator).inertia)
    check_mass(model);
  else
    require_held_pieces(model);
  check_loads(model);
  check_controllers(model);
  check_contacts(model);
  if (!all_finite(model.gravity)) fail("gravity is not finite");
  for (const auto* field : {&model.initial_positions, &model.initial_velocities}) {
    const char* name = field == &model.initial_positions ? "positions" : "velocities";
    if (field->size() != 3 * nodes) {
      fail("initial {}: {} numbers are given, {} nodes need {}", name, field->size(), nodes, 3 * nodes);
    }
    if (!all_finite(*field)) fail("initial {} are not all finite", name);
  }
  if (!(model.time_step > 0) || !std::isfinite(model.time_step)) {
    fail("the time step is {} s, it must be above 0", model.time_step);
  }
  if (model.steps < 0) fail("the number of steps is {}, it must not be negative", model.steps);
}

}  // namespace proxima::model
