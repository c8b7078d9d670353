#include "runtime/model/region_inputs.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"
#include "runtime/model/element_selection.hpp"
#include "runtime/model/value_files.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;

// The place of a name among those that the energy declares.
std::size_t declared_place(const std::string& name, const std::vector<std::string>& known, const std::string& what,
                           const ir::Energy& energy, const std::string& where) {
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  const auto nearest = nearest_name(name, known);
  const auto hint = nearest.empty()
                        ? fmt::format("it has {}", known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")))
                        : fmt::format("did you mean '{}'?", nearest);
  fail("{}: the energy '{}' has no {} '{}'; {}", where, energy.name, what, name, hint);
}

void check_count(const fs::path& file, std::size_t found, std::size_t wanted, const Region& region) {
  if (found != wanted)
    fail("{}: {} numbers, the region of material '{}' has {} {}{}", file.string(), found, region.name,
         region.elements.count(), mesh::shape_row(region.elements.shape).plural,
         wanted == region.elements.count() ? "" : " and each needs 3");
}

// One value, or one for each element of the region.
class ValuesOf {
 public:
  // The region's elements have the nodes of `mesh`.
  ValuesOf(const Region& region, const mesh::Mesh& mesh, std::string where)
      : region_(region), mesh_(mesh), where_(std::move(where)) {}

  std::vector<double> operator()(double value) const { return {value}; }
  std::vector<double> operator()(const Signal& signal) const { return {signal_value(signal, 0)}; }
  std::vector<double> operator()(const fs::path& file) const {
    auto values = read_numbers(file);
    check_count(file, values.size(), region_.elements.count(), region_);
    return values;
  }
  std::vector<double> operator()(const Expression& expression) const {
    return evaluate(expression, centroids(region_.elements, mesh_.nodes), where_);
  }

 private:
  const Region& region_;
  const mesh::Mesh& mesh_;
  std::string where_;
};

}  // namespace

void set_parameters(const EnergySource& source, const mesh::Mesh& mesh, const std::string& where, Region& region) {
  std::vector<std::string> known;
  for (const auto& parameter : region.energy->parameters) {
    known.push_back(parameter.name);
    region.parameters.push_back({parameter.default_value});
  }
  for (const auto& [name, value] : source.parameters) {
    const auto k = declared_place(name, known, "parameter", *region.energy, where + ".parameters");
    region.parameters[k] = std::visit(ValuesOf(region, mesh, fmt::format("{}.parameters.{}", where, name)), value);
    if (const auto* signal = std::get_if<Signal>(&value)) {
      region.signals.resize(known.size());
      region.signals[k] = *signal;
    }
  }
}

void set_directions(const EnergySource& source, const mesh::Mesh& mesh, const std::string& where, Region& region) {
  std::vector<std::string> known;
  for (const auto& input : region.energy->inputs) {
    if (input.kind != ir::InputKind::direction) continue;
    known.push_back(input.name);
    auto& field = region.directions.emplace_back();
    if (!input.initial.empty()) field = {{input.initial[0], input.initial[1], input.initial[2]}};
  }
  for (const auto& [name, value] : source.directions) {
    auto& field = region.directions[declared_place(name, known, "direction", *region.energy, where + ".directions")];
    if (const auto* file = std::get_if<std::filesystem::path>(&value)) {
      const auto numbers = read_numbers(*file);
      check_count(*file, numbers.size(), 3 * region.elements.count(), region);
      field.clear();
      for (std::size_t i = 0; i < numbers.size(); i += 3) field.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    } else if (const auto* formulas = std::get_if<std::array<Expression, 3>>(&value)) {
      const auto points = centroids(region.elements, mesh.nodes);
      field.assign(points.size(), {});
      for (std::size_t i = 0; i < 3; ++i) {
        const auto values = evaluate((*formulas)[i], points, fmt::format("{}.directions.{}", where, name));
        for (std::size_t e = 0; e < values.size(); ++e) field[e][i] = values[e];
      }
    } else {
      field = {std::get<Vector3>(value)};
    }
  }
}

void set_damping(const MaterialSource& material, const mesh::Mesh& mesh, const std::string& where, Region& region) {
  if (!region.overlay) region.damping.mass = material.mass_damping;
  if (region.energy->dissipation) return;
  const auto values = std::visit(ValuesOf(region, mesh, where + ".damping.stiffness"), material.stiffness_damping);
  if (values.size() > 1 || values[0] > 0) region.damping.stiffness = values;
}

void set_density(const ElementValues& source, const mesh::Mesh& mesh, const std::string& where, Region& region) {
  const auto values = std::visit(ValuesOf(region, mesh, where), source);
  region.density = values[0];
  if (std::holds_alternative<double>(source)) return;
  const auto rest = mesh::rest_geometry(region.elements, mesh.nodes, where);
  double mass = 0, volume = 0;
  for (std::size_t point = 0; point < rest.measure.size(); ++point) {
    mass += values[point / static_cast<std::size_t>(rest.points)] * rest.measure[point];
    volume += rest.measure[point];
  }
  region.density = mass / volume;
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (!(values[e] > 0)) fail("{}: found {} at {}, needed is a number > 0", where, values[e], element_name(region, e));
    region.relative_density.push_back(values[e] / region.density);
  }
}

}  // namespace proxima::model
