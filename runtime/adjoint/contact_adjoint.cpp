#include "runtime/adjoint/contact_adjoint.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/adjoint/gmres_solve.hpp"
#include "runtime/contact/slip_force.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact/contact_operator.hpp"
#include "runtime/solve/contact/contact_step.hpp"
#include "runtime/solve/contact/face_forces.hpp"
#include "runtime/solve/contact/face_preconditioner.hpp"
#include "runtime/solve/objective/contacts.hpp"

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

template <class Place>
ContactAdjoint<Place>::ContactAdjoint(const Place& place, const ForwardStep<Place>& step,
                                      contact::CondensedStorage storage)
    : host_(place.host()),
      before_(step.before),
      potential_(place.potential(step)),
      equations_(potential_, span_of(step), before_.velocities, storage),
      contacts_(equations_.contacts()) {
  // What the iterations of the step met need not be what is met on the straight way to its end.
  equations_.add_near(step.after);
  contacts_.add({step.touching.begin(), step.touching.end()});
  auto forces = solve::start_contact(equations_, step.after, solve::StartForces::exact).forces;
  point_ = equations_.evaluate(solve::copied(step.after), std::move(forces));
  set_states();
}

template <class Place>
void ContactAdjoint<Place>::set_states() {
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
                        std::abs(at.gap - contacts_.least_gap(c)) < host_.contacts().passed();
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

template <class Place>
bool ContactAdjoint<Place>::any() const {
  return std::any_of(states_.begin(), states_.end(),
                     [](const auto& contact) { return contact.state != ContactState::open; });
}

template <class Place>
std::vector<contact::Geometry> ContactAdjoint<Place>::bars(std::span<const double> z, std::span<const double> m) const {
  std::vector<contact::Geometry> result(states_.size());
  for (std::size_t c = 0; c < result.size(); ++c) {
    auto& bar = result[c];
    bar.weights = {};
    const auto& [state, fixed, force, turn, compliance] = states_[c];
    if (state == ContactState::open) continue;
    auto at = point_.at[c];
    const double pressed = dot(vector_at(point_.forces, c), at.normal);
    const Vector3 whole = state == ContactState::stick ? vector_at(point_.forces, c) : scaled(pressed, force);
    Vector3 moved{};
    for (std::size_t k = 0; k < at.weights.size(); ++k) {
      const Vector3 of_node = vector_at(z, 4 * c + k);
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

template <class Place>
SolveEvidence ContactAdjoint<Place>::solve(In b, derive::Quantity product, const AdjointSettings& settings, Out z) {
  auto transposed = states_;
  for (auto& contact : transposed) std::swap(contact.fixed, contact.force);
  const solve::ContactMetric& w = equations_.metric(point_.at);
  const System& objective = equations_.objective();
  const solve::FaceForces<System> face(objective, contact::Face(w, std::move(transposed)));
  if (!face.face().exists()) return {.residual = 1};
  solve::FacePreconditioner<System> preconditioner(objective, w, [&](const auto& u, auto& forces) { face(u, forces); });
  objective.linearise(point_.x, product);
  Vector part = device::like(b);
  auto forces = preconditioner.zeros();
  device::set_zero(z);
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  const auto negative_bars = [&](std::span<const double> at_nodes, std::span<const double> at_contacts) {
    std::vector<double> m(at_contacts.begin(), at_contacts.end());
    keep_multipliers(m);
    auto geometry = bars(at_nodes, m);
    for (auto& bar : geometry) contact::negate(bar);
    return geometry;
  };
  const solve::ContactOperator<System> contacts(
      objective, contacts_.keys(),
      solve::pulled_back(contacts_, equations_.view().seen(point_.x), solve::WithForces::yes, negative_bars));
  const auto op = [&](In v, Out y) {
    preconditioner.apply(v, part, forces);
    solve::exact_hessian_product(objective, part, y);
    contacts.add_moves(part, y);
    contacts.add_forces(1, forces, y);
  };
  return solve_by_gmres<typename solve::ContactView<System>::Basis>({op, face.queued()}, b, settings, [&] {
    device::add_scaled(z, 1, part);
    const auto values = preconditioner.values(forces);
    std::vector<double> m(values.begin(), values.end());
    keep_multipliers(m);
    device::add_scaled(multipliers_, 1, m);
  });
}

template <class Place>
void ContactAdjoint<Place>::keep_multipliers(std::span<double> m) const {
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (states_[c].state != ContactState::slip) continue;
    const auto& n = point_.at[c].normal;
    const double along = dot(vector_at(m, c), n);
    for (std::size_t i = 0; i < 3; ++i) m[3 * c + i] = along * n[i];
  }
}

template <class Place>
void ContactAdjoint<Place>::add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x,
                                std::span<double> before_v, std::span<double> by_rest, Gradient& gradient) const {
  const auto& detection = host_.contacts().detection();
  const auto geometry = bars(solve::at_nodes_of(contacts_.keys(), z), multipliers_);
  const auto x = equations_.view().seen(point_.x);
  detection.pull_back(contacts_.step(), contacts_.keys(), x, geometry, by_x, before_x, gradient.obstacles);
  if (!by_rest.empty()) detection.pull_back_rest(contacts_.step(), contacts_.keys(), x, geometry, by_rest);
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (is_tie(contacts_.keys()[c]))
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

template <class Place>
void ContactAdjoint<Place>::add_restitution(std::span<double> before_x, std::span<double> before_v,
                                            Gradient& gradient) const {
  const auto& step = contacts_.step();
  std::vector<model::ContactKey> keys;
  std::vector<double> by_least;
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (states_[c].state == ContactState::open || contacts_.least_gap(c) == 0) continue;
    keys.push_back(contacts_.keys()[c]);
    by_least.push_back(dot(vector_at(multipliers_, c), point_.at[c].normal));
  }
  if (keys.empty()) return;
  // The least gap is gap + restitution h approach, approach = -n . (W v + slip/h): gap and n when the step begins, the
  // slip that of nodes at rest.
  const auto& detection = host_.contacts().detection();
  const auto beginning = contacts_.beginning();
  const double length = step.end - step.begin;
  const auto start = detection.evaluate(beginning, keys, step.start);
  const auto still = detection.evaluate(step, keys, step.start);
  const auto moving = solve::relative(keys, start, before_.velocities);
  std::vector<contact::Geometry> bars(keys.size()), still_bars(keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c) {
    const double restitution = host_.contacts().law(keys[c]).restitution, bar = by_least[c];
    const Vector3& n = start[c].normal;
    Vector3 speed = vector_at(moving, c);
    mesh::add(speed, 1 / length, still[c].slip);
    gradient.restitution[static_cast<std::size_t>(keys[c].pair)] -= bar * length * dot(n, speed);
    const double share = -restitution * length * bar;
    bars[c] = {bar, scaled(share, speed), {}, {}};
    still_bars[c] = {0, {}, {}, scaled(share / length, n)};
    for (std::size_t k = 0; k < keys[c].nodes.size(); ++k) {
      if (keys[c].nodes[k] < 0) continue;
      const auto node = static_cast<std::size_t>(keys[c].nodes[k]);
      bars[c].weights[k] = share * dot(n, vector_at(before_.velocities, node));
      mesh::add_at(before_v, node, share * start[c].weights[k], n);
    }
  }
  detection.pull_back(beginning, keys, step.start, bars, before_x, before_x, gradient.obstacles);
  detection.pull_back(step, keys, step.start, still_bars, before_x, before_x, gradient.obstacles);
}

template class ContactAdjoint<HostSweep>;
template class ContactAdjoint<CudaSweep>;

}  // namespace proxima::adjoint
