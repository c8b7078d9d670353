#include "runtime/solve/contact_newton.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/contact/gmres.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contacts.hpp"

namespace proxima::solve {
namespace {

using contact::LinearOperator;
using mesh::add_at;
using mesh::dot;
using mesh::vector_at;
using model::ContactState;
using model::Vector3;

bool turns(const contact::FaceContact& contact) {
  return contact.state == ContactState::slip && std::isfinite(contact.compliance);
}

bool serves(const contact::Face& face, const std::vector<contact::FaceContact>& states) {
  return std::equal(states.begin(), states.end(), face.contacts().begin(), face.contacts().end(),
                    [](const auto& now, const auto& then) {
                      return now.state == then.state && now.fixed == then.fixed && turns(now) == turns(then);
                    });
}

// From the forces that a face gives, which may be an older one, those of the contacts as they are: along the normal the
// same, with friction along the present slip, and across it what z turns it by.
void set_forces(const std::vector<contact::FaceContact>& states, const ContactPoint& at, const ContactSet& contacts,
                std::span<const double> z, std::span<double> forces) {
  const auto moved = relative(contacts.keys(), at.at, z);
  for (std::size_t c = 0; c < states.size(); ++c) {
    if (states[c].state != ContactState::slip) continue;
    const double pressed = dot(vector_at(forces, c), at.at[c].normal);
    const double across = turns(states[c]) ? dot(vector_at(moved, c), states[c].turn) / states[c].compliance : 0;
    Vector3 force = mesh::scaled(pressed, states[c].force);
    mesh::add(force, across, states[c].turn);
    std::copy(force.begin(), force.end(), &forces[3 * c]);
  }
}

// CG on what a face leaves free; negative curvature ends it. `taken`: the forces F, added up.
int projected_cg(const LinearOperator& stiffness, FacePreconditioner& preconditioner, const ContactSet& contacts,
                 const ContactPoint& at, std::vector<double> r, double tolerance, int max_iterations,
                 std::span<double> z, std::span<double> taken, bool& negative) {
  const std::size_t size = r.size();
  std::vector<double> s(size), p(size), q(size), forces(3 * contacts.size());
  double rs = 0;
  int iteration = 0;
  for (; iteration < max_iterations; ++iteration) {
    preconditioner.apply(r, s, forces);
    // What the forces take is no residual; r is kept small so that its rounding is.
    add_forces(contacts.keys(), at.at, forces, -1, r);
    device::add_scaled(taken, 1, forces);
    if (device::norm(r) <= tolerance) break;
    const double before = rs;
    rs = device::dot(r, s);
    for (std::size_t i = 0; i < size; ++i) p[i] = s[i] + (iteration > 0 ? rs / before * p[i] : 0);
    stiffness(p, q);
    const double curvature = device::dot(p, q);
    if (!(curvature > 0)) {
      negative = true;
      if (iteration == 0) std::copy(s.begin(), s.end(), z.begin());
      break;
    }
    device::add_scaled(z, rs / curvature, p);
    device::add_scaled(r, -rs / curvature, q);
  }
  return iteration + 1;
}

}  // namespace

ContactPoint newton_step(ContactEquations& equations, const ContactPoint& from,
                         std::span<const ContactState> wanted_states, double tolerance, const SolverSettings& linear,
                         std::optional<contact::Face>& face_found, SolverOutcome& work) {
  const auto& objective = equations.potential().objective();
  auto& contacts = equations.contacts();
  const auto& metric = equations.metric(from.at);
  const std::size_t count = contacts.size();
  std::vector<contact::FaceContact> states(count);
  std::vector<double> wanted(3 * count), forces(3 * count), turning(3 * count);
  for (std::size_t c = 0; c < count; ++c) {
    const Vector3& n = from.at[c].normal;
    states[c].state = wanted_states[c];
    if (states[c].state == ContactState::open) continue;
    const Vector3 away = violation(from.at[c], contacts.least_gap(c));
    if (states[c].state == ContactState::stick) {
      add_at(wanted, c, -1, away);
      add_at(forces, c, 1, vector_at(from.forces, c));
      continue;
    }
    states[c] = equations.sliding(from, c);
    add_at(wanted, c, -dot(away, n), n);
    add_at(wanted, c, -dot(away, states[c].turn), states[c].turn);
    add_at(forces, c, dot(equations.trial_force(from, c), n), states[c].force);
  }
  if (!face_found || !serves(*face_found, states)) face_found.emplace(metric, states);
  const contact::Face& face = *face_found;
  if (!face.exists()) {
    ContactPoint none;
    none.residual = INFINITY;
    return none;
  }
  FacePreconditioner preconditioner(objective.preconditioner(), metric,
                                    [&](auto u, auto result) { face.forces(u, result); });
  objective.linearise(from.x);
  // H and what the gaps' curvature adds to it under the forces.
  std::vector<double> pressed;
  pressed.reserve(count);
  for (std::size_t c = 0; c < count; ++c)
    pressed.push_back(states[c].state == ContactState::open ? 0 : dot(vector_at(from.forces, c), from.at[c].normal));
  const LinearOperator stiffness = [&](std::span<const double> v, std::span<double> y) {
    objective.hessian_product(v, y);
    contacts.subtract_curvature(from.x, from.at, pressed, v, y);
    objective.clear_held(y);
  };

  const std::size_t size = from.x.size();
  std::vector<double> dx(size), image(size), r(size), z(size), taken(3 * count);
  face.forces(wanted, taken);
  preconditioner.spread(taken, dx);
  stiffness(dx, image);
  for (std::size_t i = 0; i < size; ++i) r[i] = -from.gradient[i] - image[i];
  // What dx moves across the slip brings forces of its own.
  const auto moved = relative(contacts.keys(), from.at, dx);
  for (std::size_t c = 0; c < count; ++c) {
    if (!turns(states[c])) continue;
    const Vector3 away = violation(from.at[c], contacts.least_gap(c));
    const double across = dot(vector_at(moved, c), states[c].turn) + dot(away, states[c].turn);
    add_at(turning, c, -across / states[c].compliance, states[c].turn);
  }
  add_forces(contacts.keys(), from.at, turning, 1, r);
  add_forces(contacts.keys(), from.at, forces, 1, r);
  objective.clear_held(r);
  int iterations = 0;
  if (face.symmetric()) {
    std::fill(taken.begin(), taken.end(), 0.0);
    iterations = projected_cg(stiffness, preconditioner, contacts, from, r, tolerance, linear.max_cg, z, taken,
                              work.negative_curvature);
  } else {
    std::vector<double> u(size);
    const LinearOperator op = [&](std::span<const double> v, std::span<double> y) {
      preconditioner.apply(v, z, taken);
      set_forces(states, from, contacts, z, taken);
      stiffness(z, y);
      add_forces(contacts.keys(), from.at, taken, 1, y);
      objective.clear_held(y);
    };
    iterations = contact::gmres(op, r, tolerance, linear.max_cg, u).iterations + 1;
    preconditioner.apply(u, z, taken);
    set_forces(states, from, contacts, z, taken);
  }
  work.a_solves += iterations + 1;
  work.hessian_products += iterations + 1;
  for (std::size_t i = 0; i < size; ++i) dx[i] += z[i] + from.x[i];

  for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += turning[i] - taken[i];
  ++work.gradients;
  return equations.evaluate(std::move(dx), std::move(forces));
}

}  // namespace proxima::solve
