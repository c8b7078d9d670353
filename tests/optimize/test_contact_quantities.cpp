// What may vary of contact: numbers of a model and of a gradient, a row each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/model/obstacle_shapes.hpp"
#include "runtime/optimize/design.hpp"
#include "runtime/optimize/quantities.hpp"

namespace proxima::optimize {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

model::Model make_model() {
  model::Model model;
  model.obstacles = {{"hills", model::HeightField{{2, 2}, {0, 0}, {1, 1}, {0, 0, 0, 0}}, {{0, {1, 2, 3}, {}}}},
                     {"can",
                      model::AnalyticDistance{model::obstacle_shape("cylinder"), {{0.5}, {0.2}}},
                      {{0, {1, 2, 3}, {0.1, 0.2, 0.3}}, {1, {4, 5, 6}, {0.4, 0.5, 0.6}}}}};
  model.contacts = {{0, true, 0, 0.3, 0.1}, {0, true, 1, 0.4, 0.2, 0, 0.6, {1, 0, 0}, 0.7}};
  return model;
}

TEST(ContactQuantities, HaveTheNumbersOfModelAndGradient) {
  auto model = make_model();
  adjoint::Gradient gradient;
  gradient.friction = {1, 2};
  gradient.friction_across = {0, 5};
  gradient.friction_crossed = {0, 6};
  gradient.restitution = {3, 4};
  gradient.penalty_stiffness = {0, 11};
  gradient.slip_speed = {0, 12};
  for (const auto& obstacle : model.obstacles) gradient.obstacles.push_back(model::zero_gradient(obstacle));
  gradient.obstacles[1].parameters[1] = {7};
  gradient.obstacles[1].motion[1].rotation = {8, 9, 10};
  const auto check = [&](Quantity quantity, Target target, const std::vector<double>& values,
                         const std::vector<double>& slopes) {
    const auto& row = quantity_row(quantity);
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.get(model, target), values);
    EXPECT_EQ(row.gradient(model, gradient, target), slopes);
    auto changed = values;
    for (double& value : changed) value += 0.01;
    row.set(model, target, changed);
    EXPECT_EQ(row.get(model, target), changed);
    row.set(model, target, values);
  };
  check(Quantity::friction, {1, 0}, {0.4}, {2});
  check(Quantity::friction_across, {1, 0}, {0.6}, {5});
  check(Quantity::friction_crossed, {1, 0}, {0.7}, {6});
  check(Quantity::restitution, {0, 0}, {0.1}, {3});
  EXPECT_TRUE(targets_of(model, Quantity::slip_speed).empty());
  model.contacts[1].penalty = {1e5, 2, 1e-3};
  check(Quantity::penalty_stiffness, {1, 0}, {1e5}, {11});
  check(Quantity::slip_speed, {1, 0}, {1e-3}, {12});
  check(Quantity::obstacle_translation, {1, 0}, {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0});
  check(Quantity::obstacle_rotation, {1, 0}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, {0, 0, 0, 8, 9, 10});
  check(Quantity::obstacle_parameter, {1, 1}, {0.2}, {7});
  EXPECT_EQ(targets_of(model, Quantity::obstacle_parameter).size(), 2u);  // the ground has none
  ASSERT_EQ(targets_of(model, Quantity::friction).size(), 2u);
  auto fixed = model;
  fixed.contacts[1].friction = INFINITY;  // static
  EXPECT_EQ(targets_of(fixed, Quantity::friction).size(), 1u);
  model.contacts[0].restitution = 0;
  EXPECT_EQ(targets_of(model, Quantity::restitution).size(), 1u);
  EXPECT_EQ(part_named(model, Quantity::obstacle_parameter, 1, "radius"), 1u);
  EXPECT_THAT(model::pair_names(model, model.contacts[1]), ElementsAre("body", "can"));
}

TEST(ContactQuantities, BoundsAndNamesAreChecked) {
  const auto model = make_model();
  const auto fault = [&](Quantity quantity, std::size_t object, const char* name, double lower, double upper) {
    Variable variable;
    variable.name = name;
    variable.quantity = quantity;
    variable.objects = {object};
    variable.each = true;
    variable.scale = Scale::linear;
    variable.lower = lower;
    variable.upper = upper;
    try {
      const Design design(model, {variable});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault(Quantity::friction, 0, "friction", 0, 1), "");
  EXPECT_EQ(fault(Quantity::obstacle_parameter, 1, "radius", 0.1, 1), "");
  EXPECT_THAT(fault(Quantity::friction, 0, "friction", -1, 1), HasSubstr("must not be below 0"));
  EXPECT_THAT(fault(Quantity::friction_across, 1, "friction_across", 0, 1), HasSubstr("must be above 0"));
  EXPECT_THAT(fault(Quantity::slip_speed, 1, "slip_speed", 0.1, 1), HasSubstr("is not by a penalty"));
  EXPECT_THAT(fault(Quantity::penalty_stiffness, 1, "penalty_stiffness", 0, 1), HasSubstr("must be above 0"));
  EXPECT_THAT(fault(Quantity::restitution, 0, "restitution", 0, 2), HasSubstr("must be from 0 to 1"));
  EXPECT_THAT(fault(Quantity::obstacle_parameter, 1, "radius", -0.1, 1),
              HasSubstr("must lie inside the open interval"));
  EXPECT_THAT(fault(Quantity::obstacle_parameter, 1, "radios", 0.1, 1),
              HasSubstr("the shape of obstacle 'can' has no such parameter; did you mean 'radius'"));
}

}  // namespace
}  // namespace proxima::optimize
