#include "runtime/adjoint/contact_adjoint.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/adjoint/gmres_solve.hpp"
#include "runtime/contact/slip_force.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact_step.hpp"
#include "runtime/solve/contacts.hpp"
#include "runtime/solve/face_preconditioner.hpp"
#include "runtime/solve/implicit_step.hpp"

namespace proxima::adjoint {
namespace {

using mesh::add;
using mesh::dot;
using mesh::minus;
using mesh::scaled;
using mesh::vector_at;
using model::ContactState;
using model::Vector3;

// A contact is at a kink when it is this near to another state, of the largest force.
constexpr double near_kink = 1e-7;

// Bars of the tangential slip s - n (n . s) go to those of the slip and the normal.
void add_tangential(const Vector3& bar, contact::Geometry& at, contact::Geometry& bars) {
  const double along = dot(at.normal, bar);
  add(bars.slip, 1, bar);
  add(bars.slip, -along, at.normal);
  add(bars.normal, -dot(at.normal, at.slip), bar);
  add(bars.normal, -along, at.slip);
}

}  // namespace

ContactAdjoint::ContactAdjoint(const solve::Objective& objective, const model::Model& model, double end,
                               const solve::StepStart& start, const solve::State& before, std::span<const double> after,
                               contact::CondensedStorage storage)
    : objective_(objective),
      before_(before),
      potential_(objective, start.positions, solve::given_force(objective, model, end, start, before)),
      equations_(potential_, {end - start.step / start.row->share, end, before.positions}, before.velocities, storage),
      contacts_(equations_.contacts()) {
  // What bounced is not near any more, but was to be met at the speed of the start.
  std::vector<double> met = before.positions;
  device::add_scaled(met, contacts_.step().end - contacts_.step().begin, before.velocities);
  contacts_.add_near(met);
  auto forces = solve::start_contact(equations_, after, solve::StartForces::exact).forces;
  point_ = equations_.evaluate({after.begin(), after.end()}, std::move(forces));
  const std::size_t count = contacts_.size();
  states_.resize(count);
  multipliers_.resize(3 * count);
  double largest = 0;
  for (std::size_t c = 0; c < count; ++c) largest = std::max(largest, mesh::norm(vector_at(point_.forces, c)));
  for (std::size_t c = 0; c < count; ++c) {
    auto& at = point_.at[c];
    const auto cone = contacts_.cone(c, at);
    const double friction = cone.friction, kink = near_kink * largest;
    const Vector3 trial = equations_.trial_force(point_, c);
    const double beyond = contact::beyond_edge(cone, trial);
    auto& [state, fixed, force, turn, compliance] = states_[c];
    state = contact::project(cone, trial).state;
    if (cone.bilateral) continue;
    // Also where there is no force at all to measure by.
    const bool grazes = dot(vector_at(point_.forces, c), at.normal) <= kink &&
                        std::abs(at.gap - contacts_.least_gap(c)) < objective.contacts().passed();
    degenerate_ = degenerate_ || grazes || std::abs(dot(trial, at.normal)) < kink;
    if (state == ContactState::open) continue;
    if (friction > 0) degenerate_ = degenerate_ || std::abs(beyond) < kink;
    if (state == ContactState::slip && friction > 0 && beyond < kink) state = ContactState::stick;
    if (state == ContactState::stick) continue;
    fixed = force = at.normal;
    compliance = INFINITY;
    if (friction == 0) continue;
    const auto slip = contact::slip_force(cone, at.slip);
    mesh::add(force, 1, slip.edge);
    turn = slip.tangent;
    compliance = 1 / (slip.stiffness * dot(vector_at(point_.forces, c), at.normal));
  }
}

bool ContactAdjoint::any() const {
  return std::any_of(states_.begin(), states_.end(),
                     [](const auto& contact) { return contact.state != ContactState::open; });
}

std::vector<contact::Geometry> ContactAdjoint::bars(std::span<const double> z, std::span<const double> m) const {
  std::vector<contact::Geometry> result(states_.size());
  for (std::size_t c = 0; c < result.size(); ++c) {
    auto& bar = result[c];
    bar.weights = {};
    const auto& [state, fixed, force, turn, compliance] = states_[c];
    if (state == ContactState::open) continue;
    auto at = point_.at[c];
    const auto& nodes = contacts_.keys()[c].nodes;
    const double pressed = dot(vector_at(point_.forces, c), at.normal);
    const Vector3 whole = state == ContactState::stick ? vector_at(point_.forces, c) : scaled(pressed, force);
    Vector3 moved{};
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] < 0) continue;
      const Vector3 of_node = vector_at(z, static_cast<std::size_t>(nodes[k]));
      bar.weights[k] = dot(of_node, whole);
      mesh::add(moved, at.weights[k], of_node);
    }
    const Vector3 multiplier = vector_at(m, c);
    if (state == ContactState::stick) {
      bar.gap = -dot(multiplier, at.normal);
      add_tangential(scaled(-1, multiplier), at, bar);
      continue;
    }
    bar.gap = -dot(multiplier, at.normal);
    mesh::add(bar.normal, pressed, moved);
    const auto cone = contacts_.cone(c, at);
    if (cone.friction == 0) continue;
    const auto turned = contact::slip_force_pull_back(cone, at.slip, scaled(pressed, moved));
    mesh::add(bar.slip, 1, turned.slip);
    mesh::add(bar.normal, 1, turned.normal);
    contacts_.cone_pull_back(c, at, turned.cone, bar);
  }
  return result;
}

SolveEvidence ContactAdjoint::solve(std::span<const double> b, derive::Quantity product,
                                    const AdjointSettings& settings, std::span<double> z) {
  auto transposed = states_;
  for (auto& contact : transposed) std::swap(contact.fixed, contact.force);
  const auto& metric = equations_.metric(point_.at);
  const contact::Face face(metric, std::move(transposed));
  if (!face.exists()) return {.residual = 1};
  solve::FacePreconditioner preconditioner(objective_.preconditioner(), metric,
                                           [&](auto u, auto forces) { face.forces(u, forces); });
  objective_.linearise(point_.x, product);
  std::vector<double> part(b.size());
  std::vector<double> multipliers(multipliers_.size());
  std::fill(z.begin(), z.end(), 0.0);
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  const contact::LinearOperator op = [&](std::span<const double> v, std::span<double> y) {
    preconditioner.apply(v, part, multipliers);
    // What turns a slip is part of the first block, and no multiplier.
    for (std::size_t c = 0; c < states_.size(); ++c) {
      if (states_[c].state != ContactState::slip) continue;
      const auto& n = point_.at[c].normal;
      const double along = dot(vector_at(multipliers, c), n);
      for (std::size_t i = 0; i < 3; ++i) multipliers[3 * c + i] = along * n[i];
    }
    objective_.hessian_product(part, y);
    const auto geometry = bars(part, multipliers);
    std::vector<double> by_x(y.size());
    objective_.contacts().detection().pull_back(contacts_.step(), contacts_.keys(), point_.x, geometry, by_x, {}, {});
    device::add_scaled(y, -1, by_x);
    objective_.clear_held(y);
  };
  return solve_by_gmres(op, b, settings, [&] {
    device::add_scaled(z, 1, part);
    device::add_scaled(multipliers_, 1, multipliers);
  });
}

void ContactAdjoint::add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x,
                         std::span<double> before_v, std::span<double> by_rest, Gradient& gradient) const {
  const auto& detection = objective_.contacts().detection();
  const auto geometry = bars(z, multipliers_);
  detection.pull_back(contacts_.step(), contacts_.keys(), point_.x, geometry, by_x, before_x, gradient.obstacles);
  if (!by_rest.empty()) detection.pull_back_rest(contacts_.step(), contacts_.keys(), point_.x, geometry, by_rest);
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (contacts_.keys()[c].kind == model::ContactKind::tie)
      mesh::add(gradient.ties[static_cast<std::size_t>(contacts_.keys()[c].pair)], 1, vector_at(multipliers_, c));
    if (states_[c].state != ContactState::slip) continue;
    const auto moved = solve::relative(contacts_.keys().subspan(c, 1), std::span(point_.at).subspan(c, 1), z);
    const auto& at = point_.at[c];
    const auto cone = contacts_.cone(c, at);
    if (mesh::norm(minus(at.slip, scaled(dot(at.slip, at.normal), at.normal))) == 0) continue;  // a kink
    const double pressed = dot(vector_at(point_.forces, c), at.normal);
    const auto turned = contact::slip_force_pull_back(cone, at.slip, scaled(pressed, vector_at(moved, 0)));
    contact::Geometry unwanted;
    add_friction(contacts_.cone_pull_back(c, at, turned.cone, unwanted), contacts_.keys()[c].pair, gradient);
  }
  add_restitution(before_x, before_v, gradient);
}

void ContactAdjoint::add_restitution(std::span<double> before_x, std::span<double> before_v, Gradient& gradient) const {
  const auto& step = contacts_.step();
  std::vector<model::ContactKey> keys;
  std::vector<double> by_least;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (states_[c].state == ContactState::open || contacts_.least_gap(c) == 0) continue;
    keys.push_back(contacts_.keys()[c]);
    by_least.push_back(dot(vector_at(multipliers_, c), point_.at[c].normal));
  }
  if (keys.empty()) return;
  // The least gap is gap + restitution h approach, approach = -n . (W v + slip/h), all at the start.
  const double length = step.end - step.begin;
  const auto start = objective_.contacts().detection().evaluate(step, keys, step.start);
  const auto moving = solve::relative(keys, start, before_.velocities);
  std::vector<contact::Geometry> bars(keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c) {
    const double restitution = objective_.contacts().law(keys[c]).restitution, bar = by_least[c];
    const Vector3& n = start[c].normal;
    Vector3 speed = vector_at(moving, c);
    mesh::add(speed, 1 / length, start[c].slip);
    gradient.restitution[static_cast<std::size_t>(keys[c].pair)] -= bar * length * dot(n, speed);
    const double share = -restitution * length * bar;
    bars[c] = {bar, scaled(share, speed), {}, scaled(share / length, n)};
    for (std::size_t k = 0; k < keys[c].nodes.size(); ++k) {
      if (keys[c].nodes[k] < 0) continue;
      const auto node = static_cast<std::size_t>(keys[c].nodes[k]);
      bars[c].weights[k] = share * dot(n, vector_at(before_.velocities, node));
      mesh::add_at(before_v, node, share * start[c].weights[k], n);
    }
  }
  objective_.contacts().detection().pull_back(step, keys, step.start, bars, before_x, before_x, gradient.obstacles);
}

}  // namespace proxima::adjoint
