// Nodes at obstacles that move and turn: gaps and slips of motions known in closed form, candidates, and derivatives by
// everything that a contact depends on.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "compiler/support/error.hpp"
#include "runtime/contact/obstacle_contacts.hpp"
#include "runtime/contact/start.hpp"
#include "runtime/contact/surface_direction.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "runtime/model/rotation.hpp"
#include "tests/contact/taylor.hpp"

namespace proxima::contact {
namespace {

using model::ContactKey, model::ContactKind, model::KeyFrame;

model::Obstacle obstacle(const char* shape, std::vector<std::vector<double>> parameters, std::vector<KeyFrame> motion) {
  return {shape, model::AnalyticDistance{model::obstacle_shape(shape), std::move(parameters)}, std::move(motion)};
}

// A box of 4 x 3 x 3 cells from (0, 0, 0) to (0.4, 0.3, 0.3), without bodies or regions.
model::Model block() {
  model::Model model;
  model.mesh = mesh::make_box({4, 3, 3}, {0, 0, 0}, {0.4, 0.3, 0.3});
  for (const auto& node : model.mesh.nodes)
    model.initial_positions.insert(model.initial_positions.end(), node.begin(), node.end());
  return model;
}

class Contacts : public ::testing::Test {
 protected:
  jit::Engine engine_;
};

// A body's own direction turns and stretches with it: all of it at a corner, what lies in the surface on a flat face.
TEST_F(Contacts, ADirectionOfTheBodyMovesWithIt) {
  const auto model = block();
  const Surface surface(model, mesh::boundary_faces(model.mesh), 0);
  const Vector3 direction = {1, 2, 3}, turn = {0.3, -0.4, 0.5};
  const SurfaceDirection along(surface, model.mesh.nodes, direction);
  std::vector<double> turned, stretched;
  for (const auto& node : model.mesh.nodes) {
    const auto x = model::rotate(turn, node);
    turned.insert(turned.end(), x.begin(), x.end());
    stretched.insert(stretched.end(), {2 * node[0], node[1], node[2]});
  }
  for (const auto node : surface.vertices) {
    const auto& x = model.mesh.nodes[static_cast<std::size_t>(node)];
    int sides = 0;
    Vector3 wanted = direction;
    constexpr Vector3 upper = {0.4, 0.3, 0.3};
    for (std::size_t i = 0; i < 3; ++i)
      if (x[i] < 1e-12 || x[i] > upper[i] - 1e-12) {
        ++sides;
        wanted[i] = 0;
      }
    if (sides > 1) wanted = direction;
    const auto expect_near = [&](const Vector3& found, const Vector3& expected) {
      EXPECT_LT(mesh::norm(mesh::minus(found, expected)), 1e-12) << node;
    };
    expect_near(along.at(node, model.initial_positions), wanted);
    expect_near(along.at(node, turned), model::rotate(turn, wanted));
    expect_near(along.at(node, stretched), {2 * wanted[0], wanted[1], wanted[2]});
  }
}

TEST_F(Contacts, CandidatesAreFreeSurfaceNodesThatAreNear) {
  auto model = block();
  model.dirichlet = {{{0, 1}, {}, {}}};
  model.obstacles = {obstacle("sphere", {{0.1}}, {{0, {5, 0, 0}, {}}}),
                     obstacle("half_space", {}, {{0, {0, 0, 0}, {}}, {1, {0, 0, 0.2}, {}}})};
  model.contacts = {{0, false, 0, 0.1, 0}, {0, true, 0, 0.1, 0}, {0, true, 1, 0.1, 0}};
  const ObstacleContacts contacts(model, engine_);
  const auto& x = model.initial_positions;
  std::vector<ContactKey> keys;
  contacts.candidates({0, 0, x}, x, 0.05, keys);
  EXPECT_EQ(keys.size(), 5u * 4 - 2);  // the bottom, less the held ones
  for (const auto& key : keys) {
    EXPECT_EQ(key.pair, 2);
    EXPECT_EQ(model.mesh.nodes.at(static_cast<std::size_t>(key.nodes[0]))[2], 0);
    EXPECT_GT(key.nodes[0], 1);
  }
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  keys.clear();
  contacts.candidates({0, 0.5, x}, x, 0.05, keys);  // the ground has come to 0.1: two layers, less what is inside
  EXPECT_EQ(keys.size(), 5u * 4 - 2 + (5 * 4 - 3 * 2));
}

// A table that turns about the z axis and rises: a node that stays where it is slips by what the table turned, and its
// gap falls by what it rose. The material point is the one that is under the node at the end.
TEST_F(Contacts, SlipIsAgainstTheMovingObstacle) {
  auto model = block();
  const double angle = 0.3, rise = 0.02;
  model.obstacles = {
      obstacle("half_space", {}, {{0, {0.1, 0, -0.05}, {}}, {2, {0.1, 0, -0.05 + rise}, {0, 0, angle}}})};
  model.contacts = {{0, true, 0, 0, 0}};
  const ObstacleContacts contacts(model, engine_);
  const auto& x = model.initial_positions;
  const std::vector<ContactKey> keys = {{0, ContactKind::vertex_face, 1, {3, 4, 5, 6}},
                                        {0, ContactKind::node_obstacle, 1, {4, -1, -1, -1}}};
  std::vector<Geometry> found(2);
  found[0].gap = 17;
  contacts.evaluate({0, 2, x}, keys, x, found);
  EXPECT_EQ(found[0].gap, 17);  // no contact of ours
  EXPECT_NEAR(found[1].gap, 0.05 - rise, 1e-15);
  const Vector3 expected_normal = {0, 0, 1};
  const double arm = 0.4 - 0.1;  // node 4 is at (0.4, 0, 0)
  const Vector3 expected_slip = {arm * (std::cos(angle) - 1), -arm * std::sin(angle), -rise};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found[1].normal[i], expected_normal[i], 1e-15);
    EXPECT_NEAR(found[1].slip[i], expected_slip[i], 1e-15);
  }
  EXPECT_EQ(found[1].weights, (std::array<double, 4>{1, 0, 0, 0}));
}

TEST_F(Contacts, WhatMovesWithTheObstacleDoesNotSlip) {
  auto model = block();
  const KeyFrame begin = {0, {0.3, -0.2, 0.5}, {0.4, 1.1, -0.3}}, end = {1, {0.1, 0.6, 0.2}, {-0.9, 0.2, 0.7}};
  model.obstacles = {obstacle("box", {{0.1}, {0.2}, {0.3}}, {begin, end})};
  model.contacts = {{0, true, 0, 0, 0}};
  const ObstacleContacts contacts(model, engine_);
  std::vector<double> start(model.initial_positions.size()), x(start.size());
  std::vector<ContactKey> keys;
  for (std::size_t node = 0; node < model.mesh.nodes.size(); ++node) {
    const Vector3& own = model.mesh.nodes[node];
    const Vector3 before = model::rotate(begin.rotation, own), after = model::rotate(end.rotation, own);
    for (std::size_t i = 0; i < 3; ++i) {
      start[3 * node + i] = begin.translation[i] + before[i];
      x[3 * node + i] = end.translation[i] + after[i];
    }
    keys.push_back({0, ContactKind::node_obstacle, 1, {static_cast<std::int32_t>(node), -1, -1, -1}});
  }
  std::vector<Geometry> found(keys.size());
  contacts.evaluate({0, 1, start}, keys, x, found);
  for (const auto& contact : found) EXPECT_LT(mesh::norm(contact.slip), 1e-15);
}

TEST_F(Contacts, StartsInsideAnObstacleAreRefused) {
  auto model = block();
  model.obstacles = {obstacle("half_space", {}, {{0, {0, 0, 1e-5}, {}}, {1, {0, 0, 1}, {}}})};
  model.contacts = {{0, true, 0, 0, 0}};
  EXPECT_NO_THROW(require_start_outside(model, engine_));
  model.obstacles[0].motion[0].translation[2] = 0.05;
  try {
    require_start_outside(model, engine_);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "obstacle 'half_space': node 0 starts 0.05 m inside it, at (0, 0, 0); at most 6e-05 m is taken for rounding");
  }
  model.contacts.clear();
  EXPECT_NO_THROW(require_start_outside(model, engine_));
}

struct Case {
  const char* name;
  std::vector<std::vector<double>> parameters;
  double begin, end;
};

class Derivatives : public ::testing::TestWithParam<Case> {
 protected:
  jit::Engine engine_;
};

double wave(std::size_t k) { return std::sin(1.7 * static_cast<double>(k) + 0.3); }

// By x, start, parameters, and translation and rotation of three key frames, all at once and each alone.
TEST_P(Derivatives, AreThoseOfTheValues) {
  const auto& [name, parameters, begin, end] = GetParam();
  auto model = block();
  model.obstacles = {obstacle("sphere", {{0.2}}, {{0, {0.5, 0, 0}, {}}}),
                     obstacle(name, parameters,
                              {{0, {0.2, 0.3, -0.35}, {0.2, 0.4, -0.1}},
                               {1, {0.3, 0.1, -0.25}, {0.3, -0.2, 0.5}},
                               {2, {0.25, 0.2, -0.3}, {-0.4, 0.6, 0.2}}})};
  model.contacts = {{0, true, 0, 0, 0}, {0, true, 1, 0, 0}};
  ObstacleContacts contacts(model, engine_);
  const std::vector<ContactKey> keys = {{0, ContactKind::node_obstacle, 1, {7, -1, -1, -1}},
                                        {1, ContactKind::node_obstacle, 1, {2, -1, -1, -1}},
                                        {1, ContactKind::node_obstacle, 1, {7, -1, -1, -1}},
                                        {1, ContactKind::node_obstacle, 1, {23, -1, -1, -1}},
                                        {1, ContactKind::edge_edge, 1, {1, 2, 3, 4}}};
  std::vector<Geometry> bars(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k)
    bars[k] = {wave(k), {wave(k + 5), wave(k + 9), wave(k + 13)}, {}, {wave(k + 21), wave(k + 25), wave(k + 31)}};
  const auto x = model.initial_positions;
  auto start = x;
  for (std::size_t k = 0; k < start.size(); ++k) start[k] += 0.02 * wave(k);

  std::vector<double> by_x(x.size()), by_start(x.size());
  std::vector<model::ObstacleGradient> by_obstacle = {zero_gradient(model.obstacles[0]),
                                                      zero_gradient(model.obstacles[1])};
  contacts.pull_back({begin, end, start}, keys, x, bars, by_x, by_start, by_obstacle);

  for (const int what : {0, 1, 2, 3, 4, 5}) {  // x, start, parameters, translations, rotations, all
    const auto moves = [&](int kind) { return what == kind || what == 5; };
    double slope = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      slope += (moves(0) ? wave(k) * by_x[k] : 0) + (moves(1) ? wave(k + 3) * by_start[k] : 0);
    for (std::size_t p = 0; p < parameters.size() && moves(2); ++p) slope += wave(p) * by_obstacle[1].parameters[p][0];
    for (std::size_t key = 0; key < 3; ++key)
      for (std::size_t i = 0; i < 3; ++i)
        slope += (moves(3) ? wave(3 * key + i) * by_obstacle[1].motion[key].translation[i] : 0) +
                 (moves(4) ? wave(3 * key + i + 40) * by_obstacle[1].motion[key].rotation[i] : 0);
    const auto value = [&](double h) {
      auto moved = model;
      auto to = x, from = start;
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (moves(0)) to[k] += h * wave(k);
        if (moves(1)) from[k] += h * wave(k + 3);
      }
      auto& shape = std::get<model::AnalyticDistance>(moved.obstacles[1].shape);
      for (std::size_t p = 0; p < parameters.size() && moves(2); ++p) shape.parameters[p][0] += h * wave(p);
      for (std::size_t key = 0; key < 3; ++key)
        for (std::size_t i = 0; i < 3; ++i) {
          if (moves(3)) moved.obstacles[1].motion[key].translation[i] += h * wave(3 * key + i);
          if (moves(4)) moved.obstacles[1].motion[key].rotation[i] += h * wave(3 * key + i + 40);
        }
      contacts.set_values(moved);
      std::vector<Geometry> found(keys.size());
      contacts.evaluate({begin, end, from}, keys, to, found);
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k)
        sum += bars[k].gap * found[k].gap + mesh::dot(bars[k].normal, found[k].normal) +
               mesh::dot(bars[k].slip, found[k].slip);
      return sum;
    };
    SCOPED_TRACE(what);
    test::expect_slope(value, slope);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Derivatives,
                         ::testing::Values(Case{"half_space", {}, 0.2, 0.7},
                                           Case{"box", {{0.3}, {0.4}, {0.2}}, 0.7, 1.3},
                                           Case{"sphere", {{0.3}}, 0.9, 1.1},
                                           Case{"capsule", {{0.3}, {0.1}}, 1.2, 1.25},
                                           Case{"cylinder", {{0.1}, {0.3}}, 1.9, 2.4}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace proxima::contact
