#include "runtime/model/loads.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "compiler/support/error.hpp"
#include "runtime/model/builtin_energies.hpp"
#include "runtime/model/select.hpp"

namespace proxima::model {
namespace {

// Adds the loads of one scene, whose keys its messages name.
class Loads {
 public:
  Loads(const Scene& scene, Model& model) : scene_(scene), model_(model), held_(held_nodes(model)) {}

  void add() {
    for (std::size_t f = 0; f < scene_.forces.size(); ++f) add_force(scene_.forces[f], name("forces", f));
    for (std::size_t p = 0; p < scene_.pressures.size(); ++p) add_pressure(scene_.pressures[p], p);
    for (std::size_t h = 0; h < scene_.fluids.size(); ++h) {
      const auto& source = scene_.fluids[h];
      model_.surface_loads.push_back({surface(source.select, name("hydrodynamics", h)), source.fluid});
    }
  }

 private:
  std::string name(const char* list, std::size_t number) const {
    return fmt::format("{}: {}[{}].select", scene_.file.string(), list, number);
  }

  std::vector<std::int32_t> nodes(const Selection& selection, const std::string& where) const {
    return select_nodes(selection, model_, where);
  }

  mesh::Elements surface(const Selection& selection, const std::string& where) const {
    return select_surface(nodes(selection, where), model_.mesh, where);
  }

  void add_force(const ForceSource& source, const std::string& where) {
    if (source.distribution == Distribution::traction) {
      add_traction(source, surface(source.select, where));
      return;
    }
    NodalForce force{nodes(source.select, where), source.force, source.begin, source.end, {}, source.factor};
    if (source.distribution == Distribution::total)
      force.share.assign(force.nodes.size(), 1 / static_cast<double>(force.nodes.size()));
    model_.forces.push_back(std::move(force));
  }

  // A third of what is on a triangle goes to each of its nodes; areas are those at rest.
  void add_traction(const ForceSource& source, const mesh::Elements& triangles) {
    const auto areas = mesh::rest_geometry(triangles, model_.mesh.nodes, "surface").measure;
    std::map<std::int32_t, double> share;
    for (std::size_t t = 0; t < triangles.count(); ++t)
      for (const auto node : triangles.of(t)) share[node] += areas[t] / 3;
    NodalForce force{{}, source.force, source.begin, source.end, {}, source.factor};
    for (const auto& [node, area] : share) {
      force.nodes.push_back(node);
      force.share.push_back(area);
    }
    model_.forces.push_back(std::move(force));
  }

  void add_pressure(const PressureSource& source, std::size_t number) {
    auto triangles = surface(source.select, name("pressures", number));
    if (!pressure_has_potential(triangles, held_)) {
      model_.surface_loads.push_back({std::move(triangles), FollowerPressure{source.pressure}});
      return;
    }
    Region region;
    region.name = fmt::format("pressures[{}]", number);
    region.energy = pressure_energy();
    region.elements = std::move(triangles);
    region.load = true;
    region.parameters = {{signal_value(source.pressure, 0)}};
    if (source.pressure.size() > 1) region.signals = {source.pressure};
    model_.regions.push_back(std::move(region));
  }

  const Scene& scene_;
  Model& model_;
  std::vector<char> held_;
};

}  // namespace

mesh::Elements select_surface(const std::vector<std::int32_t>& nodes, const mesh::Mesh& mesh,
                              const std::string& where) {
  std::vector<char> chosen(mesh.nodes.size());
  for (const auto node : nodes) chosen[static_cast<std::size_t>(node)] = 1;
  mesh::Elements result{mesh::Shape::triangle, 3, {}};
  const auto take = [&](std::span<const std::int32_t> corners) {
    if (std::all_of(corners.begin(), corners.end(), [&](std::int32_t node) { return chosen[node]; }))
      result.nodes.insert(result.nodes.end(), corners.begin(), corners.end());
  };
  const auto sorted = [](std::span<const std::int32_t> corners) {
    std::array key = {corners[0], corners[1], corners[2]};
    std::sort(key.begin(), key.end());
    return key;
  };
  std::set<std::array<std::int32_t, 3>> faces;
  const auto boundary = mesh::boundary_triangles(mesh);
  for (std::size_t t = 0; t < boundary.count(); ++t) {
    faces.insert(sorted(boundary.of(t)));
    take(boundary.of(t));
  }
  const auto& triangles = mesh::elements(mesh, mesh::Shape::triangle);
  for (std::size_t t = 0; t < triangles.count(); ++t)
    if (!faces.contains(sorted(triangles.of(t)))) take(triangles.of(t));
  if (result.count() == 0) fail("{}: no triangle of the surface has all its nodes there", where);
  return result;
}

void add_loads(const Scene& scene, Model& model) { Loads(scene, model).add(); }

}  // namespace proxima::model
