// Bodies that touch bodies, in steps of a simulation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "runtime/mesh/element_meshes.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "tests/contact/touching_bodies.hpp"
#include "tests/solve/contact_run.hpp"
#include "tests/solve/energies.hpp"

namespace proxima {
namespace {

using mesh::Vector3;
using model::Model;

using test::run;

jit::Engine& engine() { return test::shared_engine(); }

model::Region material(const char* name, const mesh::Mesh& mesh, mesh::Shape shape, std::vector<std::int32_t> numbers,
                       std::shared_ptr<const ir::Energy> energy, std::vector<std::vector<double>> parameters,
                       double density) {
  model::Region region;
  region.name = name;
  region.energy = std::move(energy);
  model::set_elements(region, mesh, shape, std::move(numbers));
  region.parameters = std::move(parameters);
  region.density = density;
  return region;
}

// All tetrahedra of the model.
void add_solids(Model& model, double young, double density = 1000) {
  std::vector<std::int32_t> all(mesh::elements(model.mesh, mesh::Shape::tetrahedron).count());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k);
  model.regions.push_back(material("solid", model.mesh, mesh::Shape::tetrahedron, all,
                                   bodies::log_neo_hookean_engineering(), {{young}, {0.4}}, density));
}

void add_cloth(Model& model, std::size_t triangles, double young, double thickness) {
  static const auto membrane = std::make_shared<const ir::Energy>(
      engine().load_energy(PROXIMA_SOURCE_DIR "/dsl_examples/membrane.cpp", "membrane"));
  std::vector<std::int32_t> first(triangles);
  for (std::size_t k = 0; k < triangles; ++k) first[k] = static_cast<std::int32_t>(k);
  model.regions.push_back(material("cloth", model.mesh, mesh::Shape::triangle, first, membrane,
                                   {{thickness}, {young}, {0.3}}, 1000 * thickness));
}

void add_ground(Model& model, double friction) {
  model::Obstacle ground;
  ground.name = "ground";
  ground.shape = model::AnalyticDistance{model::obstacle_shape("half_space"), {}};
  ground.motion = {{}};
  model.obstacles = {ground};
  for (std::int32_t body = 0; body < static_cast<std::int32_t>(model.bodies.size()); ++body) {
    model::ContactPair pair;
    pair.body = body;
    pair.friction = friction;
    model.contacts.push_back(pair);
  }
}

void settle_in(Model& model, double step, int steps) {
  model.gravity = {0, 0, -9.81};
  model.time_step = step;
  model.steps = steps;
}

double mean_height(const Model& model, const solve::State& state, std::int32_t body) {
  const auto& of = model.bodies[static_cast<std::size_t>(body)];
  double sum = 0;
  for (std::int32_t k = 0; k < of.nodes; ++k)
    sum += state.positions[3 * static_cast<std::size_t>(of.first_node + k) + 2];
  return sum / of.nodes;
}

// Boxes of 0.1 m on top of each other, each moved and turned a little against the one below.
Model make_stack(int boxes, int cells, double young, double friction) {
  Model model;
  for (int k = 0; k < boxes; ++k)
    test::add_body(model, test::turned(mesh::make_box({cells, cells, cells}, {-0.05, -0.05, 0}, {0.05, 0.05, 0.1}),
                                       {0, 0, 0.2 * k}, {0.003 * (k % 2), -0.002 * (k % 3), 0.1 * k + 1e-4 * k}));
  add_solids(model, young);
  add_ground(model, friction);
  for (int k = 0; k + 1 < boxes; ++k) {
    test::add_pair(model, k, k + 1);
    model.contacts.back().friction = friction;
  }
  settle_in(model, 0.01, 300);
  return model;
}

class Stack : public testing::TestWithParam<int> {};

TEST_P(Stack, RestsWithoutDriftOrPenetration) {
  // Five of 1e5 Pa would buckle under their own weight.
  const auto model = GetParam() == 2 ? make_stack(2, 3, 1e5, 0.5) : make_stack(5, 2, 1e6, 0.5);
  const auto [states, reports] = run(model);
  for (std::size_t k = 0; k < reports.size(); ++k) EXPECT_LT(reports[k].contact.deepest, 1e-7) << k;
  for (std::int32_t body = 0; body < GetParam(); ++body)
    EXPECT_NEAR(mean_height(model, states[200], body), mean_height(model, states.back(), body), 1e-7);
}
std::string boxes_name(const testing::TestParamInfo<int>& info) { return "Of" + std::to_string(info.param); }
INSTANTIATE_TEST_SUITE_P(Boxes, Stack, testing::Values(2, 5), boxes_name);

TEST(ContactOfBodies, ABallIsCaughtByASheet) {
  Model model;
  test::add_body(model, mesh::make_triangle_grid({10, 10}, {-0.1, -0.1, 0}, {0.2, 0, 0}, {0, 0.2, 0}));
  test::add_body(model, mesh::make_ball(3, {0.003, 0.002, 0.05}, 0.03));
  add_cloth(model, 200, 1e6, 1e-3);
  add_solids(model, 5e4);
  model::Dirichlet rim;
  for (std::int32_t k = 0; k < model.bodies[0].nodes; ++k) {
    const auto& at = model.mesh.nodes[static_cast<std::size_t>(k)];
    if (std::max(std::abs(at[0]), std::abs(at[1])) > 0.099) rim.nodes.push_back(k);
  }
  model.dirichlet = {rim};
  test::add_pair(model, 0, 1, 1e-3);
  model.contacts.back().friction = 0.3;
  settle_in(model, 0.005, 100);
  const auto [states, reports] = run(model);
  for (std::size_t k = 0; k < reports.size(); ++k) EXPECT_LT(reports[k].contact.deepest, 1e-6) << k;
  EXPECT_GT(mean_height(model, states.back(), 1), -0.05);
}

TEST(ContactOfBodies, AConeDoesNotPassThroughACloth) {
  Model model;
  test::add_body(model, mesh::make_triangle_grid({12, 12}, {-0.1, -0.1, 0}, {0.2, 0, 0}, {0, 0.2, 0}));
  test::add_body(model, test::turned(test::cone(0.1, 0.04, 10), {}, {0.004, 0.003, 0.005}));
  add_cloth(model, 288, 1e5, 1e-3);
  model::Dirichlet rim, cone;
  for (std::int32_t k = 0; k < model.bodies[0].nodes; ++k) {
    const auto& at = model.mesh.nodes[static_cast<std::size_t>(k)];
    if (std::max(std::abs(at[0]), std::abs(at[1])) > 0.099) rim.nodes.push_back(k);
  }
  for (std::int32_t k = 0; k < model.bodies[1].nodes; ++k) cone.nodes.push_back(model.bodies[1].first_node + k);
  cone.motion = {{0, {}, {}}, {0.2, {0, 0, -0.06}, {}}};
  model.dirichlet = {rim, cone};
  test::add_pair(model, 0, 1, 1e-3);
  model.contacts.back().friction = 0.3;
  settle_in(model, 0.01, 25);
  const auto [states, reports] = run(model);
  for (std::size_t k = 0; k < reports.size(); ++k) EXPECT_LT(reports[k].contact.deepest, 1e-6) << k;
  const auto& x = states.back().positions;
  const double tip = 0.005 - 0.06;
  for (std::int32_t k = 0; k < model.bodies[0].nodes; ++k) {
    const auto at = 3 * static_cast<std::size_t>(k);
    const double up = x[at + 2] - tip, out = std::hypot(x[at] - 0.004, x[at + 1] - 0.003);
    if (up > 0 && up < 0.1) {
      EXPECT_GT(out, 0.4 * std::cos(0.314) * up) << k;
    }
  }
}

}  // namespace
}  // namespace proxima
