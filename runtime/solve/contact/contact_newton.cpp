#include "runtime/solve/contact/contact_newton.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/contact/gmres.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

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

// One step's system: from where it is taken, and what its contacts do there.
template <class P>
class FaceSystem {
 public:
  using System = typename P::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;
  using Equations = BasicContactEquations<P>;
  using Point = typename Equations::Point;

  FaceSystem(Equations& equations, const Point& from, std::span<const ContactState> wanted)
      : equations_(equations),
        from_(from),
        x_(equations.view().seen(from.x)),
        states_(from.at.size()),
        wanted_(3 * from.at.size()),
        forces_(wanted_) {
    equations.metric(from.at);
    pressed_.reserve(states_.size());
    for (std::size_t c = 0; c < states_.size(); ++c) {
      states_[c].state = wanted[c];
      set(c);
      pressed_.push_back(wanted[c] == ContactState::open ? 0 : dot(vector_at(from.forces, c), from.at[c].normal));
    }
  }

  const std::vector<contact::FaceContact>& states() const { return states_; }
  const std::vector<double>& wanted() const { return wanted_; }  // how far what is fixed has to move, m
  const std::vector<double>& forces() const { return forces_; }  // to begin with, N

  // H and what the gaps' curvature adds to it under the forces.
  void stiffness(In v, Out y) const {
    equations_.objective().hessian_product(v, y);
    const auto seen = equations_.view().seen(v);
    equations_.view().add(y, [&](std::span<double> to) { subtract_curvature(seen, to); });
  }
  // The same of z, and W^T of the forces that a face gives, made those of the contacts as they are.
  void stiffness_and_forces(In z, std::span<double> forces, Out y) const {
    equations_.objective().hessian_product(z, y);
    const auto seen = equations_.view().seen(z);
    set_forces(seen, forces);
    equations_.view().add(y, [&](std::span<double> to) {
      subtract_curvature(seen, to);
      solve::add_forces(keys(), from_.at, forces, 1, to);
    });
  }

  // From the forces that a face gives, which may be an older one, those of the contacts as they are: along the normal
  // the same, with friction along the present slip, and across it what z turns it by.
  void set_forces(std::span<const double> z, std::span<double> forces) const {
    const auto moved = solve::relative(keys(), from_.at, z);
    for (std::size_t c = 0; c < states_.size(); ++c) {
      if (states_[c].state != ContactState::slip) continue;
      const double pressed = dot(vector_at(forces, c), from_.at[c].normal);
      const double across = turns(states_[c]) ? dot(vector_at(moved, c), states_[c].turn) / states_[c].compliance : 0;
      Vector3 force = mesh::scaled(pressed, states_[c].force);
      mesh::add(force, across, states_[c].turn);
      std::copy(force.begin(), force.end(), &forces[3 * c]);
    }
  }

  // What dx moves across the slip brings forces of its own.
  std::vector<double> turning(In dx) const {
    std::vector<double> result(forces_.size());
    const auto moved = equations_.relative(from_.at, dx);
    for (std::size_t c = 0; c < states_.size(); ++c) {
      if (!turns(states_[c])) continue;
      const double across = dot(vector_at(moved, c), states_[c].turn) + dot(away(c), states_[c].turn);
      add_at(result, c, -across / states_[c].compliance, states_[c].turn);
    }
    return result;
  }

  void add_forces(std::span<const double> forces, double scale, Out y) const {
    equations_.add_forces(from_.at, forces, scale, y);
  }

  auto seen(In v) const { return equations_.view().seen(v); }

 private:
  std::span<const model::ContactKey> keys() const { return equations_.contacts().keys(); }
  void subtract_curvature(std::span<const double> v, std::span<double> y) const {
    equations_.contacts().subtract_curvature(x_, from_.at, pressed_, v, y);
  }
  Vector3 away(std::size_t c) const { return violation(from_.at[c], equations_.contacts().least_gap(c)); }

  void set(std::size_t c) {
    if (states_[c].state == ContactState::open) return;
    if (states_[c].state == ContactState::stick) {
      add_at(wanted_, c, -1, away(c));
      add_at(forces_, c, 1, vector_at(from_.forces, c));
      return;
    }
    const Vector3& n = from_.at[c].normal;
    states_[c] = equations_.sliding(from_, c);
    add_at(wanted_, c, -dot(away(c), n), n);
    add_at(wanted_, c, -dot(away(c), states_[c].turn), states_[c].turn);
    add_at(forces_, c, dot(equations_.trial_force(from_, c), n), states_[c].force);
  }

  Equations& equations_;
  const Point& from_;
  typename ContactView<System>::Seen x_;  // of it
  std::vector<contact::FaceContact> states_;
  std::vector<double> wanted_, forces_;
  std::vector<double> pressed_;  // N, one a contact
};

// CG on what a face leaves free; negative curvature ends it. `taken`: the forces F, added up.
template <class P>
int projected_cg(const FaceSystem<P>& system, FacePreconditioner<typename P::System>& preconditioner,
                 typename P::System::Vector r, double tolerance, int max_iterations, typename P::System::Out z,
                 std::span<double> taken, bool& negative) {
  auto s = device::like(r), p = device::like(r), q = device::like(r);
  std::vector<double> forces(taken.size());
  double rs = 0;
  int iteration = 0;
  for (; iteration < max_iterations; ++iteration) {
    preconditioner.apply(r, s, forces);
    // What the forces take is no residual; r is kept small so that its rounding is.
    system.add_forces(forces, -1, r);
    device::add_scaled(taken, 1, forces);
    if (device::norm(r) <= tolerance) break;
    const double before = rs;
    rs = device::dot(r, s);
    if (iteration == 0)
      device::copy(s, p);
    else
      device::scale_and_add(p, rs / before, s);
    system.stiffness(p, q);
    const double curvature = device::dot(p, q);
    if (!(curvature > 0)) {
      negative = true;
      if (iteration == 0) device::copy(s, z);
      break;
    }
    device::add_scaled(z, rs / curvature, p);
    device::add_scaled(r, -rs / curvature, q);
  }
  return iteration + 1;
}

}  // namespace

template <class P>
BasicContactPoint<typename P::System> newton_step(BasicContactEquations<P>& equations,
                                                  const BasicContactPoint<typename P::System>& from,
                                                  std::span<const ContactState> wanted, double tolerance,
                                                  const SolverSettings& linear,
                                                  std::optional<contact::Face>& face_found, SolverOutcome& work) {
  using Point = BasicContactPoint<typename P::System>;
  using Vector = typename P::System::Vector;
  using In = typename P::System::In;
  using Out = typename P::System::Out;
  const FaceSystem<P> system(equations, from, wanted);
  const ContactMetric& w = equations.metric(from.at);
  if (!face_found || !serves(*face_found, system.states())) face_found.emplace(w, system.states());
  const contact::Face& face = *face_found;
  if (!face.exists()) {
    Point none;
    none.residual = INFINITY;
    return none;
  }
  FacePreconditioner preconditioner(equations.objective(), w, [&](auto u, auto result) { face.forces(u, result); });
  equations.objective().linearise(from.x);

  Vector dx = device::like(from.x), image = device::like(from.x), z = device::like(from.x), r = copied(from.gradient);
  std::vector<double> taken(system.forces().size());
  face.forces(system.wanted(), taken);
  preconditioner.spread(taken, dx);
  system.stiffness(dx, image);
  device::negate(r);
  device::add_scaled(r, -1, image);
  const std::vector<double> turning = system.turning(dx);
  system.add_forces(turning, 1, r);
  system.add_forces(system.forces(), 1, r);
  int iterations = 0;
  if (face.symmetric()) {
    std::fill(taken.begin(), taken.end(), 0.0);
    iterations =
        projected_cg(system, preconditioner, std::move(r), tolerance, linear.max_cg, z, taken, work.negative_curvature);
  } else {
    Vector u = device::like(from.x);
    const auto op = [&](In v, Out y) {
      preconditioner.apply(v, z, taken);
      system.stiffness_and_forces(z, taken, y);
    };
    using Basis = typename ContactView<typename P::System>::Basis;
    iterations = contact::basic_gmres<Basis>(op, r, tolerance, linear.max_cg, u).iterations + 1;
    preconditioner.apply(u, z, taken);
    system.set_forces(system.seen(z), taken);
  }
  work.a_solves += iterations + 1;
  work.hessian_products += iterations + 1;
  device::add_scaled(z, 1, from.x);
  device::add_scaled(dx, 1, z);

  std::vector<double> forces = system.forces();
  for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += turning[i] - taken[i];
  ++work.gradients;
  return equations.evaluate(std::move(dx), std::move(forces));
}

template ContactPoint newton_step(ContactEquations&, const ContactPoint&, std::span<const ContactState>, double,
                                  const SolverSettings&, std::optional<contact::Face>&, SolverOutcome&);
template BasicContactPoint<CudaObjective> newton_step(BasicContactEquations<CudaPotential>&,
                                                      const BasicContactPoint<CudaObjective>&,
                                                      std::span<const ContactState>, double, const SolverSettings&,
                                                      std::optional<contact::Face>&, SolverOutcome&);

}  // namespace proxima::solve
