#include "runtime/solve/region/element_set.hpp"

#include <algorithm>
#include <stdexcept>

#include "compiler/derive/derive.hpp"
#include "runtime/mesh/vectors.hpp"

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
  set_geometry(model.mesh.nodes);
  set_uniform("time_step", model.time_step);
  set_directions(region);
}

void ElementSet::set_rest(std::span<const mesh::Vector3> nodes) {
  rest_ = mesh::rest_geometry(elements(), nodes, "region '" + region_.name + "'");
  set_geometry(nodes);
}

void ElementSet::set_geometry(std::span<const mesh::Vector3> nodes) {
  if (rest_.dimension >= 2) {
    set_of_points("gradients", rest_.gradients, (rest_.corners - 1) * rest_.dimension);
    set_of_points("volume", rest_.measure, 1);
  }
  if (elements().shape == mesh::Shape::edge) set_of_points("rest_length", rest_.measure, 1);
  if (region_.energy->measure != ir::Measure::node_positions) return;
  std::vector<double> positions;
  for (const auto node : elements().nodes) positions.insert(positions.end(), nodes[node].begin(), nodes[node].end());
  set_of_elements("rest_positions", positions, 3 * elements().corners);
}

void ElementSet::set_own_coordinates() {
  const auto of_element = mesh::own_shape_gradients(elements().shape);
  if (of_element.empty() || fields_.contains("shape_gradients")) return;
  std::vector<double> of_points;
  of_points.reserve(of_element.size() * elements().count());
  for (std::size_t e = 0; e < elements().count(); ++e)
    of_points.insert(of_points.end(), of_element.begin(), of_element.end());
  set_of_points("shape_gradients", of_points, (rest_.corners - 1) * rest_.dimension);
  set_of_points("quadrature_weight", std::vector<double>(items(), 1.0), 1);
}

std::array<mesh::Vector3, 3> ElementSet::axes(std::size_t element) const {
  std::array<mesh::Vector3, 3> result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (!rest_.frames.empty())
    for (std::size_t i = 0; i < 3; ++i) std::copy_n(&rest_.frames[9 * element + 3 * i], 3, result[i].begin());
  return result;
}

void ElementSet::set_directions(const model::Region& region) {
  directions_ = region.directions;
  std::size_t k = 0;
  for (const auto& input : region.energy->inputs) {
    if (input.kind != ir::InputKind::direction) continue;
    if (region.directions.empty()) directions_.push_back({{input.initial[0], input.initial[1], input.initial[2]}});
    const auto& given = directions_[k++];
    std::vector<double> values;
    for (std::size_t e = 0; e < elements().count(); ++e) {
      const auto& v = given[given.size() == 1 ? 0 : e];
      const double length = mesh::norm(v);
      for (const auto& axis : axes(e)) values.push_back(mesh::dot(axis, v) / length);
    }
    set_of_elements(derive::field_name(input), values, 3);
  }
}

void ElementSet::add_direction_pull_back(std::size_t field, std::span<const double> by_components,
                                         std::vector<mesh::Vector3>& bars) const {
  const auto& given = directions_[field];
  for (std::size_t item = 0; item < items(); ++item) {
    const std::size_t e = item / points(), place = given.size() == 1 ? 0 : e;
    const auto& v = given[place];
    const double length = mesh::norm(v);
    const auto frame = axes(e);
    mesh::Vector3 by_unit{};  // by the vector of unit length
    for (int c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < 3; ++i) by_unit[i] += output(by_components, item, c, 3) * frame[c][i];
    const double along = mesh::dot(by_unit, v) / (length * length);
    for (std::size_t i = 0; i < 3; ++i) bars[place][i] += (by_unit[i] - along * v[i]) / length;
  }
}

void ElementSet::set_uniform(const std::string& name, double value) { fields_[name] = {0, {value}, ++changes_}; }

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
  fields_[name] = {components, tiling_.field(values, components), ++changes_};
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
