// Which contacts a step has between bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "random_points.hpp"
#include "runtime/contact/surface_contacts.hpp"
#include "runtime/contact/touch.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/element_meshes.hpp"
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

StepSpan step_from(std::span<const double> start) { return {0, 0.01, start}; }

std::vector<ContactKey> candidates(SurfaceContacts& contacts, std::span<const double> start, std::span<const double> x,
                                   double margin) {
  std::vector<ContactKey> keys;
  contacts.candidates(step_from(start), x, margin, keys);
  return keys;
}

std::vector<Geometry> evaluated(const SurfaceContacts& contacts, std::span<const double> start,
                                std::span<const ContactKey> keys, std::span<const double> x) {
  std::vector<Geometry> geometry(keys.size());
  contacts.evaluate(step_from(start), keys, x, geometry);
  return geometry;
}

double least_gap(const std::vector<Geometry>& geometry) {
  double least = 1e300;
  for (const auto& g : geometry) least = std::min(least, g.gap);
  return least;
}

mesh::Mesh box(std::array<int, 3> cells, double half) {
  return mesh::make_box(cells, {-half, -half, -half}, {half, half, half});
}
mesh::Mesh sheet(int cells, double half) {
  return mesh::make_triangle_grid({cells, cells}, {-half, -half, 0}, {2 * half, 0, 0}, {0, 2 * half, 0});
}

std::array<mesh::Mesh, 2> bodies_of(std::string_view name) {
  if (name == "Boxes") return {box({2, 2, 2}, 1), box({1, 2, 1}, 1)};
  if (name == "BoxAndBall") return {box({1, 1, 1}, 1), mesh::make_ball(3, {}, 1)};
  if (name == "Hexahedra") return {mesh::make_hexahedra({2, 1, 1}, {-1, -1, -1}, {1, 1, 1}), box({1, 1, 1}, 1)};
  if (name == "SheetAndBox") return {sheet(3, 1), box({2, 2, 2}, 1)};
  if (name == "Sheets") return {sheet(3, 1), sheet(2, 1)};
  return {test::cone(1.5, 0.7, 9), mesh::make_ball(2, {}, 1)};
}
bool has_solids(const mesh::Mesh& mesh) { return !mesh::boundary_faces(mesh).empty(); }
std::string bodies_name(const testing::TestParamInfo<const char*>& info) { return info.param; }
constexpr auto all_bodies = {"Boxes", "BoxAndBall", "Hexahedra", "SheetAndBox", "Sheets", "ConeAndBall"};

// Two bodies in random places: wherever they are nearest, on faces, edges or corners, a contact says so.
class Apart : public testing::TestWithParam<const char*> {};

TEST_P(Apart, TheLeastGapIsTheDistance) {
  test::RandomPoints random(5);
  const auto [first, second] = bodies_of(GetParam());
  const double thickness = has_solids(first) && has_solids(second) ? 0 : 0.01;
  for (int k = 0; k < 60; ++k) {
    Model model;
    test::add_body(model, test::turned(first, random.point(2), {}));
    const auto towards = random.point();
    const double length = std::sqrt(towards[0] * towards[0] + towards[1] * towards[1] + towards[2] * towards[2]);
    const double far = 3.7 / length;
    test::add_body(model,
                   test::turned(second, random.point(2), {far * towards[0], far * towards[1], far * towards[2]}));
    test::add_pair(model, 0, 1, thickness);
    const auto& x = model.initial_positions;
    SurfaceContacts contacts(model, engine());
    const double expected = test::distance(model, 0, 1, x);
    ASSERT_GT(expected, 0);
    const auto keys = candidates(contacts, x, x, expected + 0.01);
    EXPECT_NEAR(least_gap(evaluated(contacts, x, keys, x)), expected - thickness, 1e-12) << k;
    EXPECT_TRUE(candidates(contacts, x, x, expected - thickness - 1e-9).empty()) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Contact, Apart, testing::ValuesIn(all_bodies), bodies_name);

// A smooth motion of all nodes, each body otherwise, that folds nothing.
std::vector<double> stirred(const Model& model, std::span<const double> x, double amplitude, double phase) {
  std::vector<double> result(x.begin(), x.end());
  for (std::int32_t body = 0; body < static_cast<std::int32_t>(model.bodies.size()); ++body)
    result = test::moved(model, result, body, [&](const Vector3& at) {
      const double turn = phase + 2 * body;
      return Vector3{at[0] + amplitude * std::sin(1.3 * at[1] + turn), at[1] + amplitude * std::sin(1.7 * at[2] - turn),
                     at[2] + amplitude * std::cos(1.1 * at[0] + turn)};
    });
  return result;
}

// Two bodies driven at one another.
class Driven : public testing::TestWithParam<const char*> {
 protected:
  void make(unsigned seed) {
    test::RandomPoints random(seed);
    const auto [first, second] = bodies_of(GetParam());
    model_ = {};
    const Vector3 away{0.3 * random.number(), 0.3 * random.number(), 3.0};
    test::add_body(model_, test::turned(first, random.point(2), {}));
    test::add_body(model_, test::turned(second, random.point(2), away));
    test::add_pair(model_, 0, 1, has_solids(first) && has_solids(second) ? 0 : 0.01);
    test::add_pair(model_, 1, 1, has_solids(second) ? 0 : 0.01);
    start_ = stirred(model_, model_.initial_positions, 0.1, 1.0 * seed);
    const Vector3 by{random.number(), random.number(), -random.number(1, 3)};
    x_ = stirred(model_, test::moved_by(model_, start_, 1, by), 0.1, 0.3 + seed);
  }
  contact::Four at(std::span<const double> x, const std::array<std::int32_t, 4>& nodes) const {
    contact::Four four;
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t i = 0; i < 3; ++i) four[k][i] = x[3 * static_cast<std::size_t>(nodes[k]) + i];
    return four;
  }
  Model model_;
  std::vector<double> start_, x_;
};

// All pairs, without a tree: every vertex that crosses a face, from outside where it is a solid's, is in a contact with
// it; every two edges that cross are, where both are of sheets.
TEST_P(Driven, NothingPassesUnseen) {
  int crossings = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    make(seed);
    SurfaceContacts contacts(model_, engine());
    const auto keys = candidates(contacts, start_, x_, 1e-3);
    const auto listed = [&](ContactKey key) {
      const bool one_side = std::ranges::binary_search(keys, key);
      key.side = -1;
      return one_side || std::ranges::binary_search(keys, key);
    };
    for (const auto& [vertices, faces] : {std::pair{0, 1}, {1, 0}}) {
      const bool solid = has_solids(bodies_of(GetParam())[static_cast<std::size_t>(faces)]);
      for (const auto v : test::plain_surface(model_, vertices).vertices)
        for (const auto& f : test::plain_surface(model_, faces).faces) {
          const std::array nodes{v, f[0], f[1], f[2]};
          const auto found = contact::touches(ContactKind::vertex_face, at(start_, nodes), at(x_, nodes));
          const auto counts = [&](const contact::Touch& touch) { return !solid || touch.side > 0; };
          if (std::none_of(found.begin(), found.end(), counts)) continue;
          ++crossings;
          ContactKey key{0, ContactKind::vertex_face, 1, nodes};
          bool any = false;
          for (int turn = 0; turn < 6; ++turn) {  // whichever corner comes first
            any = any || listed(key);
            std::rotate(key.nodes.begin() + 1, key.nodes.begin() + 2, key.nodes.end());
            if (turn == 2) std::swap(key.nodes[1], key.nodes[2]);
          }
          EXPECT_TRUE(any) << seed << ": " << v << " and " << f[0] << " " << f[1] << " " << f[2];
        }
    }
    if (std::string_view(GetParam()) != "Sheets") continue;
    const auto first = test::plain_surface(model_, 0), second = test::plain_surface(model_, 1);
    for (const auto& a : first.edges)
      for (const auto& b : second.edges) {
        const std::array nodes{a[0], a[1], b[0], b[1]};
        if (test::turn(first, a, start_) < 0.1 && test::turn(second, b, start_) < 0.1) continue;  // flat
        if (contact::touches(ContactKind::edge_edge, at(start_, nodes), at(x_, nodes)).empty()) continue;
        ++crossings;
        EXPECT_TRUE(listed({0, ContactKind::edge_edge, 1, nodes})) << seed;
      }
  }
  EXPECT_GT(crossings, 20);
}

// What a wider margin adds is only what is further away.
TEST_P(Driven, AWiderMarginAddsWhatIsFurtherAway) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    make(seed);
    SurfaceContacts contacts(model_, engine());
    const auto narrow = candidates(contacts, start_, x_, 0.05), wide = candidates(contacts, start_, x_, 3);
    EXPECT_TRUE(std::ranges::includes(wide, narrow));
    const auto geometry = evaluated(contacts, start_, wide, x_);
    for (std::size_t k = 0; k < wide.size(); ++k)
      if (geometry[k].gap >= 0 && geometry[k].gap < 0.05 - 1e-12) {
        EXPECT_TRUE(std::ranges::binary_search(narrow, wide[k])) << seed << " " << geometry[k].gap;
      }
  }
}

// As guesses of a step that comes to nothing are, where squares of distances are no numbers.
TEST_P(Driven, WhatHasLeftEverythingMeetsNothing) {
  make(3);
  SurfaceContacts contacts(model_, engine());
  for (const double by : {1e100, 1e200, 1e308, std::numeric_limits<double>::infinity()}) {
    auto far = x_;
    for (double& coordinate : far) coordinate *= by;
    EXPECT_TRUE(candidates(contacts, start_, far, 1e-3).empty()) << by;
  }
}

TEST_P(Driven, AnyNumberOfThreadsFindsTheSame) {
  make(3);
  SurfaceContacts contacts(model_, engine());
  device::set_threads(1);
  const auto keys = candidates(contacts, start_, x_, 0.1);
  for (const int threads : {2, 3, 0}) {
    device::set_threads(threads);
    EXPECT_EQ(candidates(contacts, start_, x_, 0.1), keys);
  }
}

// d gap = normal . sum of weights dx, by central differences of the gap, whatever is nearest.
TEST_P(Driven, NormalAndWeightsAreTheGradientOfTheGap) {
  int checked = 0;
  for (unsigned seed = 0; seed < 15; ++seed) {
    make(seed);
    SurfaceContacts contacts(model_, engine());
    const auto keys = candidates(contacts, start_, x_, 0.3);
    const auto geometry = evaluated(contacts, start_, keys, x_);
    test::RandomPoints random(seed);
    std::vector<double> direction(x_.size());
    for (auto& d : direction) d = random.number();
    constexpr double h = 1e-6;
    auto ahead = x_, behind = x_;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      ahead[i] += h * direction[i];
      behind[i] -= h * direction[i];
    }
    const auto after = evaluated(contacts, start_, keys, ahead), before = evaluated(contacts, start_, keys, behind);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      double expected = 0, sum = 0, length = 0;
      for (std::size_t i = 0; i < 3; ++i) length += geometry[k].normal[i] * geometry[k].normal[i];
      const auto ways = at(direction, keys[k].nodes);
      for (std::size_t n = 0; n < 4; ++n) {
        sum += geometry[k].weights[n];
        for (std::size_t i = 0; i < 3; ++i) expected += geometry[k].weights[n] * geometry[k].normal[i] * ways[n][i];
      }
      EXPECT_NEAR(length, 1, 1e-12);
      EXPECT_NEAR(sum, 0, 1e-12);
      if (std::abs(after[k].gap - before[k].gap) > 0.01 * std::abs(geometry[k].gap) + 1e-5) continue;  // another sign
      EXPECT_NEAR((after[k].gap - before[k].gap) / (2 * h), expected, 1e-4) << seed << " " << k;
      ++checked;
    }
  }
  EXPECT_GT(checked, 50);
}

// The adjoint of all numbers of all contacts, along a direction of x and of the start.
TEST_P(Driven, PullsBackWhatItGives) {
  int checked = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    make(seed);
    // Of one body alone too, which the pull-back then leaves out.
    model_.contacts[0].friction_direction = {1, 0.5, 0.2};
    if (seed % 2 == 0) model_.contacts[0].other_direction = {0.3, 1, -0.4};
    model_.contacts[1].friction_direction = {0.2, -1, 0.4};
    SurfaceContacts contacts(model_, engine());
    const auto keys = candidates(contacts, start_, x_, 0.3);
    test::RandomPoints random(seed);
    std::vector<double> along_x(x_.size()), along_start(x_.size());
    for (auto& d : along_x) d = random.number();
    for (auto& d : along_start) d = random.number();
    for (const auto& key : keys) {
      const std::span one(&key, 1);
      Geometry bar{
          random.number(), random.point(), {random.number(), random.number(), random.number(), random.number()},
          random.point(),  random.point(), random.point()};
      const auto value = [&](double h) {
        auto start = start_, x = x_;
        for (std::size_t i = 0; i < x.size(); ++i) {
          start[i] += h * along_start[i];
          x[i] += h * along_x[i];
        }
        const auto g = evaluated(contacts, start, one, x)[0];
        double sum = bar.gap * g.gap;
        for (std::size_t i = 0; i < 3; ++i)
          sum += bar.normal[i] * g.normal[i] + bar.slip[i] * g.slip[i] + bar.direction[i] * g.direction[i] +
                 bar.own_direction[i] * g.own_direction[i];
        for (std::size_t k = 0; k < 4; ++k) sum += bar.weights[k] * g.weights[k];
        return sum;
      };
      if (std::abs(value(1e-3) - value(-1e-3)) > 0.2) continue;  // another formula or side near by
      std::vector<double> by_x(x_.size(), 0), by_start(x_.size(), 0);
      contacts.pull_back(step_from(start_), one, x_, std::span(&bar, 1), by_x, by_start);
      double slope = 0;
      for (std::size_t i = 0; i < x_.size(); ++i) slope += by_x[i] * along_x[i] + by_start[i] * along_start[i];
      const double coarse = (value(1e-4) - value(-1e-4)) / 2e-4 - slope;
      const double fine = (value(1e-5) - value(-1e-5)) / 2e-5 - slope;
      EXPECT_LT(std::abs(fine), std::max(1e-7, 0.05 * std::abs(coarse))) << seed << " " << slope;
      ++checked;
    }
  }
  EXPECT_GT(checked, 30);
}

// All at once, whatever their formulas, is the sum of one after the other.
TEST_P(Driven, PullsBackManyAsOneByOne) {
  make(2);
  SurfaceContacts contacts(model_, engine());
  const auto keys = candidates(contacts, start_, x_, 0.3);
  ASSERT_GT(keys.size(), 2U);
  test::RandomPoints random(1);
  std::vector<Geometry> bars(keys.size());
  for (auto& bar : bars)
    bar = {random.number(), random.point(), {random.number(), random.number(), random.number(), 1}, random.point()};
  std::vector<double> by_x(x_.size()), by_start(x_.size()), sum_x(x_.size()), sum_start(x_.size());
  contacts.pull_back(step_from(start_), keys, x_, bars, by_x, by_start);
  for (std::size_t k = 0; k < keys.size(); ++k)
    contacts.pull_back(step_from(start_), std::span(&keys[k], 1), x_, std::span(&bars[k], 1), sum_x, sum_start);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    EXPECT_NEAR(by_x[i], sum_x[i], 1e-10 * (1 + std::abs(sum_x[i])));
    EXPECT_NEAR(by_start[i], sum_start[i], 1e-10 * (1 + std::abs(sum_start[i])));
  }
}

INSTANTIATE_TEST_SUITE_P(Contact, Driven, testing::ValuesIn(all_bodies), bodies_name);

}  // namespace
