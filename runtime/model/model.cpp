#include "runtime/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/mesh/vectors.hpp"
#include "runtime/model/pose.hpp"
#include "runtime/model/rotation.hpp"

namespace proxima::model {
namespace {

// Steps end at multiples of h that carry rounding errors; a key time this close to one, in steps, is taken as equal.
constexpr double time_slack = 1e-9;

}  // namespace

void set_elements(Region& region, const mesh::Mesh& mesh, mesh::Shape shape, std::vector<std::int32_t> numbers) {
  region.elements = mesh::subset(mesh::elements(mesh, shape), numbers);
  region.numbers = std::move(numbers);
}

void set_elements(Region& region, const mesh::Mesh& mesh, mesh::Shape shape) {
  std::vector<std::int32_t> all(mesh::elements(mesh, shape).count());
  std::iota(all.begin(), all.end(), 0);
  set_elements(region, mesh, shape, std::move(all));
}

std::string element_name(const Region& region, std::size_t element) {
  const auto label = mesh::shape_row(region.elements.shape).label;
  const auto& numbers = region.own_numbers.empty() ? region.numbers : region.own_numbers;
  if (!numbers.empty()) return fmt::format("{} {}{}", label, numbers[element], of_body(region.body));
  return fmt::format("{} {} of region '{}'", label, element, region.name);
}

bool is_driven(const Region& region, std::size_t parameter) {
  return parameter < region.driven.size() && region.driven[parameter] != 0;
}

bool varies_in_time(const Region& region, std::size_t parameter) {
  if (is_driven(region, parameter)) return true;
  return parameter < region.signals.size() && !region.signals[parameter].empty();
}

double relative_density(const Region& region, std::size_t element) {
  return region.relative_density.empty() ? 1 : region.relative_density[element];
}

std::vector<char> held_nodes(const Model& model) {
  std::vector<char> held(model.mesh.nodes.size());
  for (const auto& dirichlet : model.dirichlet)
    for (const auto node : dirichlet.nodes) held[static_cast<std::size_t>(node)] = 1;
  return held;
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

std::vector<MotionGradient> zero_motion_gradient(const Model& model) {
  std::vector<MotionGradient> result;
  result.reserve(model.dirichlet.size());
  for (const auto& dirichlet : model.dirichlet)
    result.push_back({{}, std::vector<KeyFrame>(dirichlet.motion.size(), KeyFrame{})});
  return result;
}

void add_dirichlet_pull_back(const Model& model, double time, std::span<const double> bars,
                             std::vector<MotionGradient>& motions, std::span<double> rest) {
  for (std::size_t d = 0; d < model.dirichlet.size(); ++d) {
    const auto& [nodes, pivot, motion] = model.dirichlet[d];
    const KeyFrame pose = pose_at(motion, time);
    const Vector3 back = mesh::scaled(-1, pose.rotation);
    Vector3 translation{}, rotation{};
    for (const auto node : nodes) {
      Vector3 bar;
      std::copy_n(&bars[3 * static_cast<std::size_t>(node)], 3, bar.begin());
      const Vector3 by_arm = rotate(back, bar);
      const Vector3 by_rotation = rotation_pull_back(pose.rotation, mesh::minus(model.mesh.nodes[node], pivot), bar);
      for (std::size_t i = 0; i < 3; ++i) {
        rest[3 * static_cast<std::size_t>(node) + i] += by_arm[i];
        motions[d].pivot[i] += bar[i] - by_arm[i];
        translation[i] += bar[i];
        rotation[i] += by_rotation[i];
      }
    }
    add_pose_pull_back(motion, time, {0, translation, rotation}, motions[d].motion);
  }
}

std::array<std::string, 2> pair_names(const Model& model, const ContactPair& pair) {
  const auto body = [&](std::int32_t number) -> std::string {
    if (model.bodies.empty()) return "body";
    const auto& name = model.bodies[static_cast<std::size_t>(number)].name;
    return name.empty() ? "body" : name;
  };
  return {body(pair.body),
          pair.with_obstacle ? model.obstacles[static_cast<std::size_t>(pair.other)].name : body(pair.other)};
}

bool acts(const NodalForce& force, double time, double time_step) {
  const double slack = time_slack * time_step;
  return time > force.begin + slack && time <= force.end + slack;
}

double share_of(const NodalForce& force, std::size_t k) { return force.share.empty() ? 1 : force.share[k]; }

double factor_at(const NodalForce& force, double time) {
  return force.factor.empty() ? 1 : signal_value(force.factor, time);
}

std::vector<double> nodal_forces(const Model& model, double time) {
  std::vector<double> result(3 * model.mesh.nodes.size(), 0.0);
  for (const auto& load : model.forces) {
    if (!acts(load, time, model.time_step)) continue;
    const double factor = factor_at(load, time);
    for (std::size_t k = 0; k < load.nodes.size(); ++k)
      for (std::size_t i = 0; i < 3; ++i)
        result[3 * static_cast<std::size_t>(load.nodes[k]) + i] += factor * share_of(load, k) * load.force[i];
  }
  return result;
}

NodalVolume nodal_volume(const Region& region, const mesh::RestGeometry& rest, Lumping lumping) {
  const auto& elements = region.elements;
  NodalVolume result;
  if (elements.count() == 0) return result;
  const auto [low, high] = std::minmax_element(elements.nodes.begin(), elements.nodes.end());
  const auto place = [base = *low](std::int32_t node) { return static_cast<std::size_t>(node - base); };
  std::vector<double> volume(place(*high) + 1, 0.0);
  std::vector<char> used(volume.size());
  for (const auto node : elements.nodes) used[place(node)] = 1;
  if (lumping == Lumping::uniform) {
    const double total = std::accumulate(rest.measure.begin(), rest.measure.end(), 0.0);
    std::fill(volume.begin(), volume.end(), total / static_cast<double>(elements.count()));
  } else {
    const auto points = static_cast<std::size_t>(rest.points);
    for (std::size_t point = 0; point < rest.measure.size(); ++point)
      for (const auto node : elements.of(point / points))
        volume[place(node)] += relative_density(region, point / points) * rest.measure[point] / rest.corners;
  }
  for (std::size_t i = 0; i < volume.size(); ++i) {
    if (!used[i]) continue;
    result.nodes.push_back(*low + static_cast<std::int32_t>(i));
    result.volume.push_back(volume[i]);
  }
  return result;
}

std::vector<double> volume_pull_back(const Region& region, const mesh::RestGeometry& rest, Lumping lumping,
                                     const NodalVolume& volume, std::span<const double> bars) {
  std::vector<double> result(rest.measure.size());
  if (lumping == Lumping::uniform) {
    const double total = std::accumulate(bars.begin(), bars.end(), 0.0);
    std::fill(result.begin(), result.end(), total / static_cast<double>(region.elements.count()));
    return result;
  }
  const auto of_node = [&](std::int32_t node) {
    const auto found = std::lower_bound(volume.nodes.begin(), volume.nodes.end(), node);
    return bars[static_cast<std::size_t>(found - volume.nodes.begin())];
  };
  const auto points = static_cast<std::size_t>(rest.points);
  for (std::size_t point = 0; point < result.size(); ++point)
    for (const auto node : region.elements.of(point / points))
      result[point] += relative_density(region, point / points) * of_node(node) / rest.corners;
  return result;
}

void add_scaled(std::span<double> y, double scale, const NodalVolume& volume) {
  for (std::size_t i = 0; i < volume.nodes.size(); ++i)
    y[static_cast<std::size_t>(volume.nodes[i])] += scale * volume.volume[i];
}

std::vector<double> lumped_mass(const Model& model) {
  std::vector<double> mass(model.mesh.nodes.size(), 0.0);
  for (const auto& region : model.regions) {
    if (region.density == 0) continue;
    const auto rest = mesh::rest_geometry(region.elements, model.mesh.nodes, "region '" + region.name + "'");
    add_scaled(mass, region.density, nodal_volume(region, rest, model.lumping));
  }
  return mass;
}

std::vector<double> initial_history(const Model& model) {
  std::vector<double> result;
  for (const auto& region : model.regions) {
    const auto of_each = static_cast<std::size_t>(mesh::shape_row(region.elements.shape).points);
    const std::size_t points = region.elements.count() * of_each;
    for (const auto& input : region.energy->inputs)
      for (std::size_t point = 0; point < points && input.kind == ir::InputKind::history; ++point)
        result.insert(result.end(), input.initial.begin(), input.initial.end());
  }
  return result;
}

}  // namespace proxima::model
