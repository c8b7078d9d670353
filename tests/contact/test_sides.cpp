// On which side of one another things are taken to be: through and around, in one step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compiler/support/error.hpp"
#include "random_points.hpp"
#include "runtime/contact/surface_contacts.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/mesh/vectors.hpp"
#include "touching_bodies.hpp"

namespace {

using namespace proxima;
using contact::Geometry;
using contact::StepSpan;
using contact::SurfaceContacts;
using mesh::Vector3;
using model::ContactKey;
using model::ContactKind;
using model::Model;

jit::Engine& engine() {
  static jit::Engine made;
  return made;
}

struct Contacts {
  std::vector<ContactKey> keys;
  std::vector<Geometry> geometry;

  double least(ContactKind kind) const {
    double result = 1e300;
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (keys[k].kind == kind) result = std::min(result, geometry[k].gap);
    return result;
  }
  double least() const { return std::min(least(ContactKind::vertex_face), least(ContactKind::edge_edge)); }
};

Contacts contacts_of(SurfaceContacts& contacts, std::span<const double> start, std::span<const double> x,
                     double margin) {
  Contacts result;
  const StepSpan span{0, 0.01, start};
  contacts.candidates(span, x, margin, result.keys);
  result.geometry.resize(result.keys.size());
  contacts.evaluate(span, result.keys, x, result.geometry);
  return result;
}

Contacts contacts_of(const Model& model, std::span<const double> start, std::span<const double> x, double margin) {
  SurfaceContacts contacts(model, engine());
  return contacts_of(contacts, start, x, margin);
}

mesh::Mesh slab() { return mesh::make_box({2, 2, 1}, {-1, -1, -0.1}, {1, 1, 0}); }
mesh::Mesh cloth(int cells) { return mesh::make_triangle_grid({cells, cells}, {-1, -1, 0}, {2, 0, 0}, {0, 2, 0}); }
mesh::Mesh small_box(const Vector3& at) {
  return mesh::make_box({1, 1, 1}, {at[0] - 0.2, at[1] - 0.2, at[2]}, {at[0] + 0.2, at[1] + 0.2, at[2] + 0.4});
}

// One tet, one of whose corners points down at the origin from a height.
mesh::Mesh tip(double height) {
  mesh::Mesh mesh;
  mesh.nodes = {{0.03, 0.05, height}, {0.1, 0, height + 0.3}, {0, 0.1, height + 0.3}, {-0.1, -0.1, height + 0.3}};
  auto& tets = mesh::make_block(mesh, mesh::Shape::tetrahedron);
  tets.elements = {mesh::Shape::tetrahedron, 4, {0, 1, 2, 3}};
  tets.tags = {0};
  return mesh;
}

TEST(Sides, AFastTipThroughASlabIsPushedBackToWhereItCameFrom) {
  Model model;
  test::add_body(model, slab());
  test::add_body(model, tip(0.5));
  test::add_pair(model, 0, 1);
  const auto start = model.initial_positions, x = test::moved_by(model, start, 1, {0.02, 0.01, -5});
  const auto found = contacts_of(model, start, x, 0.01);
  bool through = false;
  for (std::size_t k = 0; k < found.keys.size(); ++k) {
    if (found.keys[k].kind != ContactKind::vertex_face || found.keys[k].nodes[0] != model.bodies[1].first_node)
      continue;
    through = true;
    EXPECT_NEAR(found.geometry[k].gap, -4.5, 1e-12);
    EXPECT_NEAR(found.geometry[k].normal[2], 1, 1e-12);
  }
  EXPECT_TRUE(through);
}

TEST(Sides, WhatGoesAroundIsOnTheOtherSide) {
  for (const bool solid : {true, false}) {
    Model model;
    test::add_body(model, solid ? slab() : cloth(3));
    test::add_body(model, small_box({1.9, 0, 0.5}));
    test::add_pair(model, 0, 1, solid ? 0 : 1e-3);
    // From beside and above to below without passing through.
    const auto start = model.initial_positions, x = test::moved_by(model, start, 1, {-1.3, 0, -2.5});
    EXPECT_GT(contacts_of(model, start, x, 0.5).least(), -1e-12) << solid;
  }
}

// The edges between the triangles of a flat face stand in nobody's way: corners of a box lie on them, sink in and
// slide.
TEST(Sides, WhatLiesFlatSlidesOverEdgesOfTriangles) {
  Model model;
  test::add_body(model, slab());
  test::add_body(model, small_box({0.4, 0.4, 0}));
  test::add_pair(model, 1, 0);
  const auto start = model.initial_positions;
  for (const Vector3& by :
       {Vector3{1e-3, 2e-4, -1e-3}, {2e-4, 1e-3, -1e-3}, {-1e-3, 3e-4, -1e-2}, {3e-4, -1e-3, -1e-2}}) {
    const auto found = contacts_of(model, start, test::moved_by(model, start, 1, by), 1e-3);
    int pressed = 0;
    for (const auto& geometry : found.geometry) {
      if (geometry.gap > 0) continue;  // another stands for it
      ++pressed;
      EXPECT_NEAR(geometry.normal[2], 1, 1e-12);
    }
    EXPECT_EQ(pressed, 4);
  }
}

// A contact at rest, a little inside or outside by rounding, stays one when it is pressed.
TEST(Sides, RestingByRoundingIsHeld) {
  for (const double above : {1e-13, 0.0, -1e-13, -1e-5}) {
    Model model;
    test::add_body(model, slab());
    test::add_body(model, small_box({0.1, 0.13, above}));
    test::add_pair(model, 0, 1);
    const auto start = model.initial_positions;
    for (const double press : {0.0, -1e-6, -0.05, -0.3}) {
      const auto found = contacts_of(model, start, test::moved_by(model, start, 1, {0, 0, press}), 1e-3);
      int corners = 0;
      for (std::size_t k = 0; k < found.keys.size(); ++k)
        if (found.keys[k].kind == ContactKind::vertex_face && found.keys[k].nodes[0] >= model.bodies[1].first_node &&
            std::abs(found.geometry[k].gap - above - press) < 1e-12 && found.geometry[k].normal[2] > 1 - 1e-12)
          ++corners;
      EXPECT_GE(corners, 4) << above << " " << press;
    }
  }
}

TEST(Sides, ARestingSheetNeedsItsThicknessAndKeepsIt) {
  Model model;
  test::add_body(model, cloth(2));
  test::add_body(model, small_box({0.1, 0.13, 0}));
  test::add_pair(model, 0, 1);
  try {
    SurfaceContacts contacts(model, engine());
    FAIL() << "taken without a thickness";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("contact of 'body0' with 'body1': the surface of body 'body0'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("so the thickness of the contact must be above 0; it is 0 m"));
  }
  model.contacts[0].thickness = 0.01;
  for (const double side : {1.0, -1.0}) {
    const auto start = test::moved_by(model, model.initial_positions, 1, {0, 0, side > 0 ? 0.01 - 1e-9 : -0.41});
    const auto x = test::moved_by(model, start, 1, {0, 0, -0.05 * side});
    EXPECT_NEAR(contacts_of(model, start, x, 1e-3).least(ContactKind::vertex_face), -0.05, 1e-8);
  }
}

TEST(Sides, OfAFoldedSheetAgainstItself) {
  Model model;
  test::add_body(model, mesh::make_triangle_grid({4, 8}, {-1, 0, 0}, {2, 0, 0}, {0, 4, 0}));
  test::add_pair(model, 0, 0, 0.02);
  const auto folded = [&](double height) {
    return test::moved(model, model.initial_positions, 0, [&](const Vector3& at) {
      if (at[1] <= 2) return at;
      return Vector3{at[0] + 0.03, 2 - (at[1] - 2), height * std::min(1.0, at[1] - 2)};
    });
  };
  EXPECT_TRUE(contacts_of(model, model.initial_positions, model.initial_positions, 0.1).keys.empty());
  const auto start = folded(0.1);
  // The second row of the upper part, 0.05 above, is nearest to the slope of 0.1.
  EXPECT_NEAR(contacts_of(model, start, start, 0.2).least(), 0.05 / std::hypot(1, 0.1) - 0.02, 1e-12);
  EXPECT_LT(contacts_of(model, start, folded(-0.1), 0.05).least(ContactKind::vertex_face), -0.1);
}

TEST(Sides, OfRopesThatCross) {
  Model model;
  const auto rope = [](const Vector3& from, const Vector3& by) {
    mesh::Mesh mesh;
    auto& edges = mesh::make_block(mesh, mesh::Shape::edge);
    edges.elements = {mesh::Shape::edge, 2, {}};
    for (int k = 0; k <= 4; ++k) {
      mesh.nodes.push_back({from[0] + k * by[0], from[1] + k * by[1], from[2] + k * by[2]});
      if (k > 0) edges.elements.nodes.insert(edges.elements.nodes.end(), {k - 1, k});
    }
    edges.tags.assign(4, 0);
    return mesh;
  };
  test::add_body(model, rope({-1, 0.1, 0}, {0.5, 0, 0}));
  test::add_body(model, rope({0.2, -1, 0.3}, {0, 0.5, 0}));
  test::add_pair(model, 0, 1, 0.05);
  const auto& start = model.initial_positions;
  EXPECT_NEAR(contacts_of(model, start, start, 0.5).least(), 0.25, 1e-12);
  EXPECT_NEAR(contacts_of(model, start, test::moved_by(model, start, 1, {0, 0, -1}), 0.1).least(), -0.75, 1e-12);
  // End to end, and an end above the middle: no face says it, so two edges do.
  const auto beyond = test::moved_by(model, start, 1, {1.0, 0, -0.3});
  EXPECT_NEAR(contacts_of(model, beyond, beyond, 0.5).least(), 0.15, 1e-12);
}

TEST(Sides, HeldNodesTouchButNotEachOther) {
  Model model;
  test::add_body(model, slab());
  test::add_body(model, small_box({0, 0, 0.05}));
  test::add_pair(model, 0, 1);
  test::hold(model, 0);
  const auto& x = model.initial_positions;
  EXPECT_FALSE(contacts_of(model, x, x, 0.1).keys.empty());
  test::hold(model, 1);
  EXPECT_TRUE(contacts_of(model, x, x, 0.1).keys.empty());
}

TEST(Sides, WhatWasMissedIsWhatPassedThroughAndIsNotKnown) {
  Model model;
  test::add_body(model, cloth(4));
  test::add_body(model, small_box({0.1, 0.05, 0.3}));
  test::add_pair(model, 0, 1, 1e-3);
  SurfaceContacts contacts(model, engine());
  const auto start = model.initial_positions, x = test::moved_by(model, start, 1, {0, 0, -0.4});
  const StepSpan span{0, 0.01, start};
  std::vector<ContactKey> near, missed, again;
  contacts.candidates(span, start, 0.1, near);
  EXPECT_TRUE(near.empty());
  contacts.missed(span, near, x, 1e-9, missed);
  EXPECT_GE(missed.size(), 4U);
  contacts.missed(span, missed, x, 1e-9, again);
  EXPECT_TRUE(again.empty());
}

// A cone (a closed surface of triangles) driven a long way into a cloth in one step, from many places: pushing the
// cloth back along the contacts' normals brings all of it back in front of the cone.
TEST(Sides, AClothIsPushedBackInFrontOfACone) {
  test::RandomPoints random(2);
  for (int seed = 0; seed < 20; ++seed) {
    Model model;
    test::add_body(model, cloth(8));
    test::add_body(model, test::turned(test::cone(1, 0.4, 8), {0, 0, random.number()},
                                       {0.4 * random.number(), 0.4 * random.number(), 0.02}));
    test::add_pair(model, 0, 1, 5e-3);
    test::hold(model, 1);
    SurfaceContacts contacts(model, engine());
    auto start = model.initial_positions;
    for (int step = 0; step < 5; ++step) {
      auto x = test::moved_by(model, start, 1, {0, 0, -0.1});
      double least = 0;
      for (int sweep = 0; sweep < 400; ++sweep) {
        const auto found = contacts_of(contacts, start, x, 0);
        least = found.least();
        if (least > -1e-6) break;
        for (std::size_t k = 0; k < found.keys.size(); ++k) {
          const auto& g = found.geometry[k];
          double sum = 0;
          for (std::size_t n = 0; n < 4; ++n)
            if (found.keys[k].nodes[n] < model.bodies[1].first_node) sum += g.weights[n] * g.weights[n];
          if (g.gap >= 0 || sum < 1e-12) continue;
          for (std::size_t n = 0; n < 4; ++n)
            if (found.keys[k].nodes[n] < model.bodies[1].first_node)
              for (std::size_t i = 0; i < 3; ++i)
                x[3 * static_cast<std::size_t>(found.keys[k].nodes[n]) + i] -=
                    0.5 * g.gap / sum * g.weights[n] * g.normal[i];
        }
      }
      EXPECT_GT(least, -1e-3) << seed << " step " << step;
      start = x;
    }
    // The tip is the cone's first node. Below it there is still cloth, and nothing of the cloth is inside the cone.
    const auto tip_node = 3 * static_cast<std::size_t>(model.bodies[1].first_node);
    const Vector3 tip_at{start[tip_node], start[tip_node + 1], start[tip_node + 2]};
    for (std::size_t node = 0; node < static_cast<std::size_t>(model.bodies[0].nodes); ++node) {
      const double up = start[3 * node + 2] - tip_at[2];
      const double out = std::hypot(start[3 * node] - tip_at[0], start[3 * node + 1] - tip_at[1]);
      if (up < 1) {
        EXPECT_GT(out, 0.4 * std::cos(std::numbers::pi / 8) * up - 1e-3) << seed << " node " << node;
      }
    }
  }
}

}  // namespace
