#include "runtime/model/validate_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"

namespace proxima::model {
namespace {

bool all_finite(const auto& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

// `heights`: what the numbers are.
template <std::size_t N>
void check_grid(const std::array<int, N>& points, const auto& lower, const auto& spacing,
                const std::vector<double>& values, const std::string& who, const char* what) {
  std::size_t count = 1;
  for (std::size_t axis = 0; axis < N; ++axis) {
    if (points[axis] < 2)
      fail("{}: its grid has {} points along {}, at least 2 are needed", who, points[axis], "xyz"[axis]);
    if (!std::isfinite(lower[axis]) || !std::isfinite(spacing[axis]) || !(spacing[axis] > 0))
      fail("{}: its grid has a spacing of {} m along {}, it must be above 0", who, spacing[axis], "xyz"[axis]);
    count *= static_cast<std::size_t>(points[axis]);
  }
  if (values.size() != count) fail("{}: {} {} are given, its grid has {} points", who, values.size(), what, count);
  if (!all_finite(values)) fail("{}: its {} are not all finite", who, what);
}

struct CheckShape {
  const std::string& who;

  void operator()(const AnalyticDistance& shape) const {
    if (!shape.function) fail("{}: has no function", who);
    check_parameters(*shape.function, shape.parameters, who);
  }
  void operator()(const HeightField& shape) const {
    check_grid(shape.points, shape.lower, shape.spacing, shape.heights, who, "heights");
  }
  void operator()(const DistanceGrid& shape) const {
    check_grid(shape.points, shape.lower, shape.spacing, shape.distance, who, "distances");
  }
  void operator()(const ClosedSurface& shape) const {
    if (shape.triangles.empty()) fail("{}: its surface has no triangles", who);
    for (std::size_t n = 0; n < shape.nodes.size(); ++n)
      if (!all_finite(shape.nodes[n])) fail("{}: node {} of its surface is not finite", who, n);
    for (std::size_t t = 0; t < shape.triangles.size(); ++t)
      for (const auto node : shape.triangles[t])
        if (node < 0 || static_cast<std::size_t>(node) >= shape.nodes.size())
          fail("{}: triangle {} of its surface has node {}, which does not exist", who, t, node);
    check_closed(shape);
  }

  // Every side of a triangle is that of one other, which goes along it the other way.
  void check_closed(const ClosedSurface& shape) const {
    std::vector<std::array<std::int32_t, 2>> sides;
    sides.reserve(3 * shape.triangles.size());
    for (const auto& triangle : shape.triangles)
      for (std::size_t c = 0; c < 3; ++c) sides.push_back({triangle[c], triangle[(c + 1) % 3]});
    std::sort(sides.begin(), sides.end());
    const auto twice = std::adjacent_find(sides.begin(), sides.end());
    if (twice != sides.end())
      fail("{}: two triangles of its surface go along the edge from node {} to node {} the same way", who, (*twice)[0],
           (*twice)[1]);
    for (const auto& [from, to] : sides)
      if (!std::binary_search(sides.begin(), sides.end(), std::array{to, from}))
        fail("{}: its surface is open at the edge between nodes {} and {}; a closed one is needed", who, from, to);
  }
};

void check_motion(const std::vector<KeyFrame>& motion, const std::string& who) {
  if (motion.empty()) fail("{}: has no key frame that says where it is", who);
  for (std::size_t k = 0; k < motion.size(); ++k) {
    const auto& key = motion[k];
    if (!std::isfinite(key.time) || !all_finite(key.translation) || !all_finite(key.rotation))
      fail("{}: key frame {} is not finite", who, k);
    if (k > 0 && key.time <= motion[k - 1].time)
      fail("{}: key frame {} is at {} s, after one at {} s; times must increase", who, k, key.time, motion[k - 1].time);
  }
}

std::string side_name(const Model& model, bool obstacle, std::int32_t number) {
  if (obstacle) return fmt::format("obstacle '{}'", model.obstacles[static_cast<std::size_t>(number)].name);
  const auto* body = model.bodies.empty() ? nullptr : &model.bodies[static_cast<std::size_t>(number)];
  return body == nullptr || body->name.empty() ? "the body" : fmt::format("body '{}'", body->name);
}

void check_directions(const Model& model, const ContactPair& pair, const std::string& who) {
  const bool itself = !pair.with_obstacle && pair.other == pair.body;
  if (!all_finite(pair.friction_direction) || !all_finite(pair.other_direction))
    fail("{}: the direction of a body's friction is not finite", who);
  if ((pair.with_obstacle || itself) && pair.other_direction != Vector3{})
    fail("{}: has a direction of friction of a second body, and there is none", who);
  const Vector3 other = pair.with_obstacle ? model.obstacles[static_cast<std::size_t>(pair.other)].friction_direction
                        : itself           ? pair.friction_direction
                                           : pair.other_direction;
  const bool first = pair.friction_direction != Vector3{}, second = other != Vector3{};
  const auto proper = [](double coefficient) { return coefficient > 0 && std::isfinite(coefficient); };
  if ((first || second) && !(proper(pair.friction) && proper(pair.friction_across)))
    fail(
        "{}: friction has a direction, along which its coefficient is {} and across it {}; both must be above 0 and "
        "finite",
        who, pair.friction, pair.friction_across);
  if (!first && !second && pair.friction_across != 0)
    fail("{}: friction across a direction is {}, but neither side has a direction of friction", who,
         pair.friction_across);
  if (first && second ? !proper(pair.friction_crossed) : pair.friction_crossed != 0)
    fail("{}: friction where directions cross is {}; it must be above 0 and finite where both sides have one, else 0",
         who, pair.friction_crossed);
}

void check_pair(const Model& model, std::size_t p) {
  const auto& pair = model.contacts[p];
  const auto within = [](std::int32_t number, std::size_t count) {
    return number >= 0 && static_cast<std::size_t>(number) < count;
  };
  const std::size_t bodies = std::max<std::size_t>(1, model.bodies.size());
  if (!within(pair.body, bodies)) fail("contact pair {}: body {} does not exist", p, pair.body);
  if (!within(pair.other, pair.with_obstacle ? model.obstacles.size() : bodies))
    fail("contact pair {}: {} {} does not exist", p, pair.with_obstacle ? "obstacle" : "body", pair.other);
  const auto who = fmt::format("contact of {} with {}", side_name(model, false, pair.body),
                               side_name(model, pair.with_obstacle, pair.other));
  if (!(pair.friction >= 0)) fail("{}: the coefficient of friction is {}, it must not be negative", who, pair.friction);
  if (!(pair.restitution >= 0 && pair.restitution <= 1))
    fail("{}: the coefficient of restitution is {}, it must be from 0 to 1", who, pair.restitution);
  const auto& integrator = integrator_row(model.integrator);
  if (pair.restitution > 0 && !integrator.inertia)
    fail("{}: the coefficient of restitution is {}; nothing bounces in steps of {}, it must be 0 there", who,
         pair.restitution, integrator.name);
  if (pair.restitution > 0 && integrator.before != 0)
    fail(
        "{}: the coefficient of restitution is {}; the integrator {} goes on from two states, one of them before the "
        "impact, and would make the body faster with each; it must be 0 there, or the integrator {}",
        who, pair.restitution, integrator.name, integrator_row(integrator.one_step).name);
  if (!std::isfinite(pair.thickness) || pair.thickness < 0)
    fail("{}: the thickness is {} m, it must not be negative", who, pair.thickness);
  if (pair.penalty.has_value() != model.contacts[0].penalty.has_value())
    fail("{}: some contacts have a penalty and some have none; either all have or none has", who);
  if (pair.penalty) {
    const auto& [stiffness, exponent, slip_speed] = *pair.penalty;
    if (!(stiffness > 0 && std::isfinite(stiffness) && exponent >= 2 && slip_speed > 0))
      fail(
          "{}: its penalty has a stiffness of {}, an exponent of {} and a slip speed of {} m/s; they must be above 0, "
          "at least 2, and above 0",
          who, stiffness, exponent, slip_speed);
    if (pair.restitution != 0 || !std::isfinite(pair.friction))
      fail("{}: with a penalty there is neither restitution nor static friction; they are {} and {}", who,
           pair.restitution, pair.friction);
  }
  check_directions(model, pair, who);
  for (std::size_t q = 0; q < p; ++q) {
    const auto& other = model.contacts[q];
    const bool either_way = !pair.with_obstacle && other.body == pair.other && other.other == pair.body;
    if (other.with_obstacle == pair.with_obstacle &&
        (either_way || (other.body == pair.body && other.other == pair.other)))
      fail("{}: is listed twice", who);
  }
}

// Of a tie that has been checked, whose nodes increase.
bool is_tied_to_point(const Tie& tie, std::int32_t node) {
  const auto found = std::ranges::lower_bound(tie.tied, node, {}, [](const auto& tied) { return tied.nodes[0]; });
  return found != tie.tied.end() && found->nodes[0] == node && found->nodes[1] < 0;
}

void check_tie(const Model& model, const std::vector<char>& held, std::size_t t) {
  const auto& tie = model.ties[t];
  const auto who = fmt::format("tie '{}'", tie.name);
  for (std::size_t other = 0; other < t; ++other)
    if (model.ties[other].name == tie.name) fail("there are two ties '{}'", tie.name);
  if (!all_finite(tie.to)) fail("{}: where it holds its nodes is not finite", who);
  for (std::size_t k = 0; k < tie.tied.size(); ++k) {
    const auto& tied = tie.tied[k];
    if (!all_finite(tied.weights) || !all_finite(tied.at)) fail("{}: what holds its node {} is not finite", who, k);
    for (std::size_t n = 0; n < tied.nodes.size(); ++n)
      if (tied.nodes[n] < (n == 0 ? 0 : -1) || tied.nodes[n] >= static_cast<std::int32_t>(model.mesh.nodes.size()))
        fail("{}: node {} does not exist", who, tied.nodes[n]);
    if (tied.nodes[1] < 0 && held[static_cast<std::size_t>(tied.nodes[0])])
      fail("{}: {} is held (dirichlet) and cannot be tied to a point as well", who,
           node_name(model.bodies, static_cast<std::size_t>(tied.nodes[0])));
    if (tied.nodes[1] < 0)
      for (std::size_t other = 0; other < t; ++other)
        if (is_tied_to_point(model.ties[other], tied.nodes[0]))
          fail("{}: {} is tied to a point by tie '{}' already", who,
               node_name(model.bodies, static_cast<std::size_t>(tied.nodes[0])), model.ties[other].name);
    if (k > 0 && tied.nodes[0] <= tie.tied[k - 1].nodes[0])
      fail("{}: node {} comes after node {}; they must increase", who, tied.nodes[0], tie.tied[k - 1].nodes[0]);
  }
  if (!model.contacts.empty() && model.contacts[0].penalty)
    fail("{}: contact is by a penalty, which knows no forces that hold exactly; springs (attachments) do it there",
         who);
}

}  // namespace

void check_contacts(const Model& model) {
  for (std::size_t o = 0; o < model.obstacles.size(); ++o) {
    const auto& obstacle = model.obstacles[o];
    const auto who = fmt::format("obstacle '{}'", obstacle.name);
    for (std::size_t other = 0; other < o; ++other)
      if (model.obstacles[other].name == obstacle.name) fail("there are two obstacles '{}'", obstacle.name);
    std::visit(CheckShape{who}, obstacle.shape);
    check_motion(obstacle.motion, who);
    if (!all_finite(obstacle.friction_direction)) fail("{}: its direction of friction is not finite", who);
  }
  for (std::size_t p = 0; p < model.contacts.size(); ++p) check_pair(model, p);
  const auto held = held_nodes(model);
  for (std::size_t t = 0; t < model.ties.size(); ++t) check_tie(model, held, t);
}

}  // namespace proxima::model
