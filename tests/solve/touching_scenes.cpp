#include "tests/solve/touching_scenes.hpp"

#include "runtime/mesh/vectors.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace proxima::bodies {
namespace {

using model::Model;

Model block(const ContactScene& scene, int steps = 4) {
  Model model = make_block(scene);
  model.steps = steps;
  return model;
}

Model penalised() {
  return block({.slope = 10, .friction = 0.3, .young = 1e4, .penalty = model::Penalty{2e4, 3, 0.01}});
}

Model matchsticks() {
  ContactScene scene{.slope = 30, .friction = 0.1, .young = 1e6};
  scene.across = 0.5;
  scene.direction = {1, 0.3, 0};
  scene.own_direction = {0.2, 1, 0};
  scene.crossed = 0.25;
  return block(scene);
}

Model ellipse() {
  ContactScene scene{.slope = 25, .friction = 0.1};
  scene.across = 0.5;
  scene.direction = {1, 1, 0};
  return block(scene);
}

void settle(Model& model, int steps) {
  fill_with_solid(model, 5e4);
  model.gravity = {0, 0, -9.81};
  model.time_step = 0.01;
  model.steps = steps;
}

// A small box on a larger one whose rim of lower nodes is held, turned against it and thrown sideways.
Model boxes() {
  Model model;
  test::add_body(model, mesh::make_box({3, 3, 2}, {0, 0, 0}, {0.12, 0.12, 0.04}));
  test::add_body(model, test::turned(mesh::make_box({2, 2, 2}, {-0.03, -0.03, 0}, {0.03, 0.03, 0.05}), {0, 0, 0.3},
                                     {0.061, 0.058, 0.0402}));
  test::add_pair(model, 0, 1);
  model.contacts.back().friction = 0.3;
  settle(model, 4);
  model::Dirichlet held;
  for (std::int32_t node = 0; node < model.bodies[0].nodes; ++node)
    if (const auto& x = model.mesh.nodes[static_cast<std::size_t>(node)]; x[2] < 1e-9 || x[0] < 1e-9)
      held.nodes.push_back(node);
  model.dirichlet.push_back(std::move(held));
  for (std::int32_t node = model.bodies[1].first_node; node < model.bodies[1].first_node + model.bodies[1].nodes;
       ++node) {
    model.initial_velocities[3 * static_cast<std::size_t>(node)] = -0.2;
    model.initial_velocities[3 * static_cast<std::size_t>(node) + 2] = -0.1;
  }
  return model;
}

// Two halves of a bar, tied where they meet, one end tied to a point, that land.
Model tied() {
  Model model;
  test::add_body(model, mesh::make_box({3, 2, 2}, {-0.06, 0, 0}, {0, 0.04, 0.04}));
  test::add_body(model, mesh::make_box({3, 2, 2}, {0, 0, 0}, {0.06, 0.04, 0.04}));
  settle(model, 4);
  model::Tie glue{"glue", {}, {}}, hung{"hung", {}, {}};
  const auto& nodes = model.mesh.nodes;
  for (std::int32_t k = model.bodies[1].first_node; k < model.bodies[1].first_node + model.bodies[1].nodes; ++k)
    for (std::int32_t n = 0; n < model.bodies[0].nodes; ++n)
      if (mesh::norm(mesh::minus(nodes[static_cast<std::size_t>(k)], nodes[static_cast<std::size_t>(n)])) < 1e-9)
        glue.tied.push_back({{k, n, -1, -1}, {1, -1, 0, 0}, {}});
  hung.tied.push_back({{0, -1, -1, -1}, {1, 0, 0, 0}, nodes[0]});
  model.ties = {glue, hung};
  model::Obstacle ground;
  ground.name = "ground";
  ground.shape = model::AnalyticDistance{model::obstacle_shape("half_space"), {}};
  ground.motion = {{0, {0, 0, -0.002}, {}}};
  model.obstacles = {ground};
  model.contacts = {{.body = 1, .friction = 0.4}};
  for (std::size_t node = 0; node < nodes.size(); ++node) model.initial_velocities[3 * node + 1] = 0.1;
  return model;
}

}  // namespace

const std::map<std::string, std::function<Model()>>& touching_scenes() {
  static const std::map<std::string, std::function<Model()>> scenes = {
      {"rests", [] { return block({.slope = 10, .friction = 0.5}); }},
      {"slides", [] { return block({.slope = 25, .friction = 0.3}); }},
      {"without_friction", [] { return block({.slope = 15}); }},
      {"bounces", [] { return block({.slope = 5, .friction = 0.2, .restitution = 0.6, .height = 0.001}, 8); }},
      {"on_a_ball", [] { return block({.slope = 20, .friction = 0.4, .young = 2e4, .ball = true}); }},
      {"ellipse", ellipse},
      {"matchsticks", matchsticks},
      {"penalties", penalised},
      {"boxes", boxes},
      {"tied", tied},
  };
  return scenes;
}

}  // namespace proxima::bodies
