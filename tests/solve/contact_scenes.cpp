#include "tests/solve/contact_scenes.hpp"

#include <cmath>
#include <numbers>

#include "runtime/model/obstacle_shapes.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/energies.hpp"

namespace proxima::bodies {

model::Model make_block(const ContactScene& scene) {
  model::Model model = make_bar();
  model.mesh = mesh::make_box({4 * scene.refine, 4 * scene.refine, 2 * scene.refine}, {0, 0, scene.height},
                              {0.1, 0.1, 0.05 + scene.height});
  auto& region = model.regions[0];
  model::set_elements(region, model.mesh, mesh::Shape::tetrahedron);
  region.energy = log_neo_hookean_engineering();
  region.parameters = {{scene.young}, {0.4}};
  model.initial_positions.clear();
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  model.initial_velocities.assign(model.initial_positions.size(), 0);
  const double angle = scene.slope * std::numbers::pi / 180;
  model.gravity = {9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)};
  model::Obstacle obstacle;
  obstacle.name = "ground";
  obstacle.shape = scene.ball ? model::AnalyticDistance{model::obstacle_shape("sphere"), {{0.1}}}
                              : model::AnalyticDistance{model::obstacle_shape("half_space"), {}};
  obstacle.motion = {{}};
  if (scene.ball) obstacle.motion[0].translation = {0.05, 0.05, -0.1};
  model.obstacles = {obstacle};
  model.obstacles[0].friction_direction = scene.direction;
  model.contacts = {{.friction = scene.friction,
                     .restitution = scene.restitution,
                     .friction_across = scene.across,
                     .friction_direction = scene.own_direction,
                     .friction_crossed = scene.crossed,
                     .penalty = scene.penalty}};
  return model;
}

}  // namespace proxima::bodies
