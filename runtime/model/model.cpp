#include "runtime/model/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"

namespace proxima::model {
namespace {

// Steps end at multiples of h that carry rounding errors; a key time this close to one, in steps, is taken as equal.
constexpr double time_slack = 1e-9;

Vector3 interpolate(const Vector3& a, const Vector3& b, double weight) {
  Vector3 result;
  for (int i = 0; i < 3; ++i) result[i] = a[i] + weight * (b[i] - a[i]);
  return result;
}

KeyFrame pose_at(const std::vector<KeyFrame>& motion, double time) {
  if (motion.empty()) return {};
  const auto next =
      std::upper_bound(motion.begin(), motion.end(), time, [](double t, const KeyFrame& key) { return t < key.time; });
  if (next == motion.begin()) return motion.front();
  if (next == motion.end()) return motion.back();
  const KeyFrame& before = *(next - 1);
  const double weight = (time - before.time) / (next->time - before.time);
  return {time, interpolate(before.translation, next->translation, weight),
          interpolate(before.rotation, next->rotation, weight)};
}

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Rodrigues' formula: v + sin(a) k x v + (1 - cos(a)) k x (k x v) for the rotation vector a k.
Vector3 rotate(const Vector3& rotation, const Vector3& v) {
  const double angle = std::hypot(rotation[0], rotation[1], rotation[2]);
  if (angle == 0) return v;
  const Vector3 axis = {rotation[0] / angle, rotation[1] / angle, rotation[2] / angle};
  const Vector3 once = cross(axis, v);
  const Vector3 twice = cross(axis, once);
  const double half = std::sin(angle / 2);  // 1 - cos(a) without the cancellation at small angles
  Vector3 result;
  for (int i = 0; i < 3; ++i) result[i] = v[i] + std::sin(angle) * once[i] + 2 * half * half * twice[i];
  return result;
}

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

void check_region(const Region& region, std::size_t tet_count) {
  if (!region.energy) fail("region '{}' has no energy", region.name);
  if (!(region.density > 0) || !std::isfinite(region.density)) {
    fail("region '{}': density is {} kg/m^3, it must be above 0", region.name, region.density);
  }
  if (region.tets.empty()) fail("region '{}' has no tetrahedra", region.name);
  for (const auto tet : region.tets) {
    if (tet < 0 || static_cast<std::size_t>(tet) >= tet_count) {
      fail("region '{}': tet {} does not exist, the mesh has tets 0 to {}", region.name, tet, tet_count - 1);
    }
  }
  if (!std::is_sorted(region.tets.begin(), region.tets.end())) {
    fail("region '{}': its tets are not in increasing order", region.name);
  }
  const auto& declared = region.energy->parameters;
  if (region.parameters.size() != declared.size()) {
    fail("region '{}': {} parameters are given, the energy '{}' has {}", region.name, region.parameters.size(),
         region.energy->name, declared.size());
  }
  for (std::size_t k = 0; k < declared.size(); ++k) {
    const auto& values = region.parameters[k];
    if (values.size() != 1 && values.size() != region.tets.size()) {
      fail("region '{}': parameter '{}' has {} values, it needs 1 or {} (one a tet of the region)", region.name,
           declared[k].name, values.size(), region.tets.size());
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] > declared[k].lower && values[i] < declared[k].upper && std::isfinite(values[i])) continue;
      const std::string where = values.size() == 1 ? "" : fmt::format(" at tet {}", region.tets[i]);
      fail("region '{}': parameter '{}'{} is {}, it must satisfy {}", region.name, declared[k].name, where, values[i],
           interval_text(declared[k]));
    }
  }
}

void check_cover(const Model& model) {
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> owner(model.mesh.tets.size(), none);
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    for (const auto tet : model.regions[r].tets) {
      if (owner[tet] != none) {
        fail("tet {} is in region '{}' and in region '{}', it must be in one", tet, model.regions[owner[tet]].name,
             model.regions[r].name);
      }
      owner[tet] = static_cast<std::int32_t>(r);
    }
  }
  const auto free = std::count(owner.begin(), owner.end(), none);
  if (free > 0) {
    fail("{} of {} tets are in no region (the first is tet {}); give them a material", free, owner.size(),
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
      if (held[node]) fail("{}: node {} is held twice", who, node);
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

}  // namespace

std::string interval_text(const ir::Parameter& parameter) {
  const bool below = std::isfinite(parameter.lower), above = std::isfinite(parameter.upper);
  std::string text = parameter.name;
  if (below) text = fmt::format("{} < {}", parameter.lower, text);
  if (above) text += fmt::format(" < {}", parameter.upper);
  return below || above ? text : text + " finite";
}

std::vector<std::pair<std::int32_t, Vector3>> dirichlet_positions(const Model& model, double time) {
  std::vector<std::pair<std::int32_t, Vector3>> result;
  for (const auto& dirichlet : model.dirichlet) {
    const KeyFrame pose = pose_at(dirichlet.motion, time);
    const bool at_rest = pose.translation == Vector3{} && pose.rotation == Vector3{};
    for (const auto node : dirichlet.nodes) {
      const Vector3& rest = model.mesh.nodes[node];
      Vector3 position = rest;  // exactly: pivot + (rest - pivot) would round
      if (!at_rest) {
        const Vector3& pivot = dirichlet.pivot;
        const Vector3 arm = rotate(pose.rotation, {rest[0] - pivot[0], rest[1] - pivot[1], rest[2] - pivot[2]});
        for (int i = 0; i < 3; ++i) position[i] = pivot[i] + arm[i] + pose.translation[i];
      }
      result.emplace_back(node, position);
    }
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return result;
}

std::vector<double> nodal_forces(const Model& model, double time) {
  std::vector<double> result(3 * model.mesh.nodes.size(), 0.0);
  const double slack = time_slack * model.time_step;
  for (const auto& load : model.forces) {
    if (time <= load.begin + slack || time > load.end + slack) continue;
    for (const auto node : load.nodes) {
      for (int i = 0; i < 3; ++i) result[3 * node + i] += load.force[i];
    }
  }
  return result;
}

std::vector<double> lumped_mass(const Model& model) {
  std::vector<double> mass(model.mesh.nodes.size(), 0.0);
  // In the order of the tets, not of the regions: the bits must not change when a body is cut into regions.
  std::vector<double> density(model.mesh.tets.size(), 0.0);
  for (const auto& region : model.regions) {
    for (const auto tet : region.tets) density[tet] = region.density;
  }
  for (std::size_t tet = 0; tet < model.mesh.tets.size(); ++tet) {
    const double share = density[tet] * mesh::volume(model.mesh, tet) / 4;
    for (const auto node : model.mesh.tets[tet]) mass[node] += share;
  }
  return mass;
}

void validate(const Model& model) {
  const std::size_t nodes = model.mesh.nodes.size(), tets = model.mesh.tets.size();
  if (tets == 0) fail("the mesh has no tetrahedra");
  if (model.regions.empty()) fail("no material is given");
  for (const auto& region : model.regions) check_region(region, tets);
  check_cover(model);
  check_dirichlet(model);
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    check_nodes(model.forces[f].nodes, nodes, fmt::format("force {}", f));
    if (!all_finite(model.forces[f].force)) fail("force {} is not finite", f);
  }
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
