#include "runtime/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/model/rotation.hpp"

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

}  // namespace

double signal_value(const Signal& signal, double time) {
  const auto next =
      std::upper_bound(signal.begin(), signal.end(), time, [](double t, const SignalKey& key) { return t < key.time; });
  if (next == signal.begin()) return signal.front().value;
  if (next == signal.end()) return signal.back().value;
  const SignalKey& before = *(next - 1);
  return before.value + (time - before.time) / (next->time - before.time) * (next->value - before.value);
}

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
