#include "apps/proxima/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "apps/proxima/surface.hpp"
#include "runtime/solve/objective/controls.hpp"

namespace proxima::app {
namespace {

using Arrays = std::vector<mesh::DataArray>;

Arrays displacement(FieldSource& source) {
  std::vector<double> values(source.state().positions);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= source.model().mesh.nodes[i / 3][i % 3];
  return {{"displacement", 3, std::move(values)}};
}

Arrays velocity(FieldSource& source) { return {{"velocity", 3, source.state().velocities}}; }

Arrays elastic_force(FieldSource& source) { return {{"elastic_force", 3, source.elastic_forces()}}; }

// Where the region's elements are among all of the mesh; none where the mesh does not list them.
std::vector<std::size_t> places(const model::Model& model, const model::Region& region) {
  std::vector<std::size_t> result(region.numbers.begin(), region.numbers.end());
  if (result.empty()) return result;
  const std::size_t first = mesh::first_element(model.mesh, region.elements.shape);
  for (auto& place : result) place += first;
  return result;
}

// The number of the material of each element, -1 where it has none.
Arrays material(FieldSource& source) {
  const auto& model = source.model();
  std::vector<double> values(mesh::element_count(model.mesh), -1);
  double materials = 0;  // so far; overlays belong to the one before them
  for (const auto& region : model.regions) {
    if (region.load) continue;
    if (!region.overlay) ++materials;
    for (const auto place : places(model, region)) values[place] = materials - 1;
  }
  return {{"material", 1, std::move(values)}};
}

Arrays density(FieldSource& source) {
  const auto& model = source.model();
  std::vector<double> values(mesh::element_count(model.mesh));
  for (const auto& region : model.regions) {
    if (region.overlay || region.load) continue;
    const auto mine = places(model, region);
    for (std::size_t i = 0; i < mine.size(); ++i) values[mine[i]] = region.density * model::relative_density(region, i);
  }
  return {{"density", 1, std::move(values)}};
}

// Every parameter that varies from element to element within a region; no number in regions where it does not. One
// whose name is that of a field, or that a former energy of the material has, is called after its energy, too.
Arrays parameters(FieldSource& source) {
  const auto& model = source.model();
  const std::vector<double> none(mesh::element_count(model.mesh), std::numeric_limits<double>::quiet_NaN());
  std::map<std::string, std::vector<double>> varying;
  for (const auto& region : model.regions) {
    const auto mine = places(model, region);
    for (std::size_t k = 0; k < region.parameters.size() && !mine.empty(); ++k) {
      if (region.parameters[k].size() == 1) continue;
      const std::string& name = region.energy->parameters[k].name;
      const auto former = varying.find(name);
      const bool taken = std::ranges::count(field_rows(), name, &FieldRow::name) > 0 ||
                         (former != varying.end() && !std::isnan(former->second[mine[0]]));
      auto& values =
          varying.try_emplace(taken ? fmt::format("{} of {}", name, region.energy->name) : name, none).first->second;
      for (std::size_t i = 0; i < mine.size(); ++i) values[mine[i]] = region.parameters[k][i];
    }
  }
  Arrays result;
  for (auto& [name, values] : varying) result.push_back({name, 1, std::move(values)});
  return result;
}

Arrays energy_density(FieldSource& source) { return {{"energy_density", 1, source.elements().density}}; }

Arrays stress(FieldSource& source) { return {{"stress", 6, source.elements().stress}}; }

Arrays von_mises(FieldSource& source) {
  const auto& tensors = source.elements().stress;
  std::vector<double> values(tensors.size() / 6);
  for (std::size_t e = 0; e < values.size(); ++e)
    values[e] = solve::von_mises(std::span<const double, 6>(&tensors[6 * e], 6));
  return {{"von_mises", 1, std::move(values)}};
}

Arrays stretches(FieldSource& source) { return {{"principal_stretches", 3, source.elements().stretches}}; }

constexpr FieldRow rows[] = {
    {"displacement", "displacement", "m", true, true, displacement},
    {"velocity", "velocity", "m/s", true, true, velocity},
    {"elastic_force", "elastic force", "N", true, true, elastic_force},
    {"material", "material", "", false, false, material},
    {"density", "density", "kg/m^3", false, false, density},
    {"parameters", "parameters", "", false, false, parameters},
    {"energy_density", "energy density", "J/m^3", false, true, energy_density},
    {"stress", "Cauchy stress", "Pa", false, true, stress},
    {"von_mises", "von Mises stress", "Pa", false, true, von_mises},
    {"principal_stretches", "principal stretches", "", false, true, stretches},
};

}  // namespace

FieldSource::FieldSource(const Problem& problem, int step, const solve::State& state)
    : problem_(problem), state_(state) {
  const auto& model = problem.model();
  const double effective = model::integrator_row(model.integrator).share * model.time_step;
  const auto driven = problem.objective->controls().values(step, state);
  problem.objective->enter_step({step * model.time_step, effective, state.positions, state.history, driven});
}

const solve::ElementState& FieldSource::elements() {
  if (!elements_) elements_ = problem_.objective->element_state(state_.positions);
  return *elements_;
}

std::vector<double> FieldSource::elastic_forces() const { return problem_.objective->elastic_forces(state_.positions); }

std::span<const FieldRow> field_rows() { return rows; }

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const FieldRow& row : rows) names.emplace_back(row.name);
  return names;
}

}  // namespace proxima::app
