#include "runtime/solve/element_set.hpp"

#include <cmath>
#include <stdexcept>

#include "compiler/derive/derive.hpp"

namespace proxima::solve {
namespace {

std::vector<std::int32_t> item_nodes(const mesh::Elements& elements, int points) {
  std::vector<std::int32_t> result;
  result.reserve(elements.nodes.size() * static_cast<std::size_t>(points));
  for (std::size_t e = 0; e < elements.count(); ++e) {
    const auto nodes = elements.of(e);
    for (int q = 0; q < points; ++q) result.insert(result.end(), nodes.begin(), nodes.end());
  }
  return result;
}

}  // namespace

ElementSet::ElementSet(const model::Model& model, const model::Region& region, int lanes)
    : region_(region),
      rest_(mesh::rest_geometry(elements(), model.mesh.nodes, "region '" + region.name + "'")),
      tiling_(device::Tiling::make(item_nodes(elements(), rest_.points), rest_.corners, lanes)) {
  if (rest_.dimension >= 2) {
    set_of_points("gradients", rest_.gradients, (rest_.corners - 1) * rest_.dimension);
    set_of_points("volume", rest_.measure, 1);
  }
  if (elements().shape == mesh::Shape::edge) set_of_points("rest_length", rest_.measure, 1);
  std::vector<double> positions;
  for (const auto node : elements().nodes)
    positions.insert(positions.end(), model.mesh.nodes[node].begin(), model.mesh.nodes[node].end());
  if (region.energy->measure == ir::Measure::node_positions)
    set_of_elements("rest_positions", positions, 3 * elements().corners);
  set_uniform("time_step", model.time_step);
  set_directions(region);
}

void ElementSet::set_directions(const model::Region& region) {
  std::size_t k = 0;
  for (const auto& input : region.energy->inputs) {
    if (input.kind != ir::InputKind::direction) continue;
    const auto given = region.directions.empty()
                           ? std::vector<mesh::Vector3>{{input.initial[0], input.initial[1], input.initial[2]}}
                           : region.directions[k];
    ++k;
    std::vector<double> values;
    for (std::size_t e = 0; e < elements().count(); ++e) {
      const auto& v = given[given.size() == 1 ? 0 : e];
      const double length = std::hypot(v[0], v[1], v[2]);
      for (std::size_t i = 0; i < 3; ++i) {
        if (rest_.frames.empty()) {
          values.push_back(v[i] / length);
        } else {
          const double* axis = &rest_.frames[9 * e + 3 * i];
          values.push_back((axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]) / length);
        }
      }
    }
    set_of_elements(derive::field_name(input), values, 3);
  }
}

void ElementSet::set_uniform(const std::string& name, double value) { fields_[name] = {0, {value}}; }

void ElementSet::set_of_elements(const std::string& name, std::span<const double> values, int components) {
  const auto width = static_cast<std::size_t>(components);
  std::vector<double> of_points;
  of_points.reserve(values.size() * points());
  for (std::size_t e = 0; e < elements().count(); ++e)
    for (std::size_t q = 0; q < points(); ++q)
      of_points.insert(of_points.end(), values.begin() + static_cast<std::ptrdiff_t>(e * width),
                       values.begin() + static_cast<std::ptrdiff_t>((e + 1) * width));
  set_of_points(name, of_points, components);
}

void ElementSet::set_of_points(const std::string& name, std::span<const double> values, int components) {
  fields_[name] = {components, tiling_.field(values, components)};
}

const ElementSet::Field& ElementSet::find(const std::string& name) const {
  const auto found = fields_.find(name);
  if (found == fields_.end()) throw std::logic_error("region '" + region_.name + "' has no field '" + name + "'");
  return found->second;
}

double ElementSet::value(const std::string& name, std::size_t item, int component) const {
  const Field& field = find(name);
  return field.components == 0 ? field.values[0] : field.values[tiling_.at(item, component, field.components)];
}

}  // namespace proxima::solve
