// A small valid model that tests change one thing of: two cubes in a row, one region each.
#pragma once

#include <limits>
#include <memory>

#include "runtime/model/model.hpp"

namespace proxima::model::test {

// Parameters as stable_neo_hookean would declare them; the density is never evaluated here.
inline std::shared_ptr<const ir::Energy> named_energy() {
  auto energy = std::make_shared<ir::Energy>();
  energy->name = "toy";
  energy->density = energy->graph.constant(1.0);
  energy->parameters = {{"E", "Pa", 1e5, 0, std::numeric_limits<double>::infinity(), {}}, {"nu", "", 0.4, -1, 0.5, {}}};
  return energy;
}

// Unit cubes of Kuhn tets: 12 nodes, 12 tets; tets 0..5 in region "left", the others in "right".
inline Model two_cubes() {
  Model model;
  for (int x = 0; x <= 2; ++x) {
    for (int y = 0; y <= 1; ++y) {
      for (int z = 0; z <= 1; ++z) model.mesh.nodes.push_back({double(x), double(y), double(z)});
    }
  }
  auto& tets = mesh::make_block(model.mesh, mesh::Shape::tetrahedron);
  const auto node = [](int x, int y, int z) { return 4 * x + 2 * y + z; };
  for (int cube = 0; cube < 2; ++cube) {
    for (const auto& order : {std::array{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
      std::array<int, 3> at = {cube, 0, 0};
      std::array<std::int32_t, 4> tet;
      tet[0] = node(at[0], at[1], at[2]);
      for (int k = 0; k < 3; ++k) {
        ++at[order[k]];
        tet[k + 1] = node(at[0], at[1], at[2]);
      }
      const bool odd = order == std::array{0, 2, 1} || order == std::array{1, 0, 2} || order == std::array{2, 1, 0};
      if (odd) std::swap(tet[2], tet[3]);
      tets.elements.nodes.insert(tets.elements.nodes.end(), tet.begin(), tet.end());
      tets.tags.push_back(cube + 1);
    }
  }
  model.regions = {{"left", named_energy(), {}, {}, {{1e5}, {0.4}}, 1000},
                   {"right", named_energy(), {}, {}, {{2e5}, {0.3}}, 500}};
  set_elements(model.regions[0], model.mesh, mesh::Shape::tetrahedron, {0, 1, 2, 3, 4, 5});
  set_elements(model.regions[1], model.mesh, mesh::Shape::tetrahedron, {6, 7, 8, 9, 10, 11});
  for (const auto& position : model.mesh.nodes) {
    model.initial_positions.insert(model.initial_positions.end(), position.begin(), position.end());
  }
  model.initial_velocities.assign(3 * model.mesh.nodes.size(), 0.0);
  model.time_step = 0.01;
  model.steps = 10;
  return model;
}

}  // namespace proxima::model::test
