#include "runtime/model/loads.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "compiler/support/error.hpp"
#include "runtime/model/select.hpp"

namespace proxima::model {
namespace {

// Adds the loads of one scene, whose keys its messages name.
class Loads {
 public:
  Loads(const Scene& scene, Model& model) : scene_(scene), model_(model), held_(model.mesh.nodes.size()) {
    for (const auto& dirichlet : model.dirichlet)
      for (const auto node : dirichlet.nodes) held_[static_cast<std::size_t>(node)] = 1;
  }

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

  std::vector<Triangle> surface(const Selection& selection, const std::string& where) const {
    return select_surface(nodes(selection, where), model_.mesh, where);
  }

  void add_force(const ForceSource& source, const std::string& where) {
    if (source.distribution == Distribution::traction) {
      add_traction(source, surface(source.select, where));
      return;
    }
    NodalForce force{nodes(source.select, where), source.force, source.begin, source.end};
    if (source.distribution == Distribution::total)
      for (auto& component : force.force) component /= static_cast<double>(force.nodes.size());
    model_.forces.push_back(std::move(force));
  }

  // A third of what is on a triangle goes to each of its nodes; areas are those at rest.
  void add_traction(const ForceSource& source, const std::vector<Triangle>& triangles) {
    mesh::Elements elements{mesh::Shape::triangle, 3, {}};
    for (const auto& triangle : triangles)
      elements.nodes.insert(elements.nodes.end(), triangle.begin(), triangle.end());
    const auto areas = mesh::rest_geometry(elements, model_.mesh.nodes, "surface").measure;
    std::map<std::int32_t, double> share;
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (const auto node : triangles[t]) share[node] += areas[t] / 3;
    for (const auto& [node, area] : share) {
      const Vector3& t = source.force;
      model_.forces.push_back({{node}, {area * t[0], area * t[1], area * t[2]}, source.begin, source.end});
    }
  }

  void add_pressure(const PressureSource& source, std::size_t number) {
    auto triangles = surface(source.select, name("pressures", number));
    if (!pressure_has_potential(triangles, held_)) {
      model_.surface_loads.push_back({std::move(triangles), FollowerPressure{source.pressure}});
      return;
    }
    Region region;
    region.name = fmt::format("pressures[{}]", number);
    region.energy = pressure_potential();
    region.elements = {mesh::Shape::triangle, 3, {}};
    for (const auto& triangle : triangles)
      region.elements.nodes.insert(region.elements.nodes.end(), triangle.begin(), triangle.end());
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

std::vector<Triangle> select_surface(const std::vector<std::int32_t>& nodes, const mesh::Mesh& mesh,
                                     const std::string& where) {
  std::vector<char> chosen(mesh.nodes.size());
  for (const auto node : nodes) chosen[static_cast<std::size_t>(node)] = 1;
  std::vector<Triangle> result;
  const auto take = [&](const Triangle& triangle) {
    if (std::all_of(triangle.begin(), triangle.end(), [&](std::int32_t node) { return chosen[node]; }))
      result.push_back(triangle);
  };
  const auto sorted = [](Triangle triangle) {
    std::sort(triangle.begin(), triangle.end());
    return triangle;
  };
  std::set<Triangle> faces;
  for (const auto& triangle : mesh::boundary_triangles(mesh)) {
    faces.insert(sorted(triangle));
    take(triangle);
  }
  const auto& triangles = mesh::elements(mesh, mesh::Shape::triangle);
  for (std::size_t t = 0; t < triangles.count(); ++t) {
    const auto corners = triangles.of(t);
    const Triangle triangle = {corners[0], corners[1], corners[2]};
    if (!faces.contains(sorted(triangle))) take(triangle);
  }
  if (result.empty()) fail("{}: no triangle of the surface has all its nodes there", where);
  return result;
}

void add_loads(const Scene& scene, Model& model) { Loads(scene, model).add(); }

}  // namespace proxima::model
