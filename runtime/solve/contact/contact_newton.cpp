#include "runtime/solve/contact/contact_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/contact/gmres.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact/contact_operator.hpp"
#include "runtime/solve/objective/cuda_cg_recurrence.hpp"

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
  using AtContacts = typename FacePreconditioner<System>::AtContacts;

  FaceSystem(Equations& equations, const Point& from, std::span<const ContactState> wanted)
      : equations_(equations), from_(from), states_(from.at.size()), wanted_(3 * from.at.size()), forces_(wanted_) {
    equations.metric(from.at);
    for (std::size_t c = 0; c < states_.size(); ++c) {
      states_[c].state = wanted[c];
      set(c);
    }
    operator_.emplace(equations.objective(), keys(), blocks());
  }

  const std::vector<contact::FaceContact>& states() const { return states_; }
  const std::vector<double>& wanted() const { return wanted_; }  // how far what is fixed has to move, m
  const std::vector<double>& forces() const { return forces_; }  // to begin with, N

  // H, what the gaps' curvature adds to it under the forces, and what turns with a slip.
  void stiffness(In v, Out y) const {
    equations_.objective().hessian_product(v, y);
    operator_->add_moves(v, y);
  }
  // y += scale W^T of the forces that a face gives, made those of the contacts as they are but for what turns.
  void add_forces_of_face(double scale, const AtContacts& forces, Out y) const {
    operator_->add_forces(scale, forces, y);
  }

  // From the forces that a face gives, which may be an older one, those of the contacts as they are: along the normal
  // the same, with friction along the present slip, and across it what z turns it by.
  void set_forces(In z, std::span<double> forces) const {
    const auto moved = equations_.relative(from_.at, z);
    for (std::size_t c = 0; c < states_.size(); ++c) {
      if (states_[c].state != ContactState::slip) continue;
      const double pressed = dot(vector_at(forces, c), from_.at[c].normal);
      const double across = turns(states_[c]) ? dot(vector_at(moved, c), states_[c].turn) / states_[c].compliance : 0;
      Vector3 force = mesh::scaled(pressed, states_[c].force);
      mesh::add(force, across, states_[c].turn);
      std::copy(force.begin(), force.end(), &forces[3 * c]);
    }
  }

  // What contacts are moved across the slip, beside what they have to be, brings forces of its own.
  std::vector<double> turning(std::span<const double> moved) const {
    std::vector<double> result(forces_.size());
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

 private:
  std::span<const model::ContactKey> keys() const { return equations_.contacts().keys(); }

  // The curvature of gaps under their forces, and of what slips what set_forces() makes of z and forces.
  std::vector<ContactBlock> blocks() const {
    std::vector<double> pressed(states_.size());
    for (std::size_t c = 0; c < states_.size(); ++c)
      if (states_[c].state != ContactState::open) pressed[c] = dot(vector_at(from_.forces, c), from_.at[c].normal);
    auto result = curvature(equations_.contacts(), equations_.view().seen(from_.x), from_.at, pressed);
    for (std::size_t c = 0; c < states_.size(); ++c) {
      const auto& [state, fixed, force, turn, compliance] = states_[c];
      const bool slips = state == ContactState::slip;
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            result[c].by_forces[9 * k + 3 * i + j] = from_.at[c].weights[k] * (slips ? force[i] * from_.at[c].normal[j]
                                                                               : i == j ? 1
                                                                                        : 0);
      if (!turns(states_[c])) continue;
      std::array<Vector3, 3> across{};
      for (std::size_t i = 0; i < 3; ++i) across[i] = mesh::scaled(turn[i] / compliance, turn);
      add_answer(from_.at[c], across, result[c]);
    }
    return result;
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
  std::vector<contact::FaceContact> states_;
  std::vector<double> wanted_, forces_;
  std::optional<ContactOperator<System>> operator_;
};

// CG on what a face leaves free. Returns how it ended, and in `taken` the forces F, added up.
template <class P>
CgOutcome projected_cg(const FaceSystem<P>& system, const typename P::System& objective,
                       FacePreconditioner<typename P::System>& preconditioner, typename P::System::Vector r,
                       double tolerance, int max_iterations, bool queued, typename P::System::Out z,
                       typename FaceSystem<P>::AtContacts& taken) {
  auto s = device::like(r), p = device::like(r), q = device::like(r);
  auto forces = preconditioner.zeros();
  CgRecurrence<typename P::System> recurrence(objective);
  // What the forces take is no residual; r is kept small so that its rounding is.
  const auto take = [&] {
    system.add_forces_of_face(-1, forces, r);
    device::add_scaled(taken, 1, forces);
  };
  preconditioner.apply(r, s, forces);
  take();
  recurrence.begin(r, tolerance);
  const auto iteration = [&] {
    recurrence.set_direction(r, s, p);
    system.stiffness(p, q);
    recurrence.descend(p, q, z, r);
    preconditioner.apply(r, s, forces);
    recurrence.clear_after_end(forces);
    take();
    recurrence.measure(r);
  };
  const CgOutcome outcome = recurrence.repeat(iteration, max_iterations, queued);
  if (outcome.negative_curvature && outcome.iterations == 1) device::copy(p, z);
  return outcome;
}

}  // namespace

template <class P>
BasicContactPoint<typename P::System> newton_step(BasicContactEquations<P>& equations,
                                                  const BasicContactPoint<typename P::System>& from,
                                                  std::span<const ContactState> wanted, double tolerance,
                                                  const SolverSettings& linear,
                                                  std::optional<FaceForces<typename P::System>>& face_found,
                                                  SolverOutcome& work) {
  using Point = BasicContactPoint<typename P::System>;
  using Vector = typename P::System::Vector;
  using In = typename P::System::In;
  using Out = typename P::System::Out;
  const FaceSystem<P> system(equations, from, wanted);
  const ContactMetric& w = equations.metric(from.at);
  if (!face_found || !serves(face_found->face(), system.states()))
    face_found.emplace(equations.objective(), contact::Face(w, system.states()));
  const contact::Face& face = face_found->face();
  if (!face.exists()) {
    Point none;
    none.residual = INFINITY;
    return none;
  }
  FacePreconditioner<typename P::System> preconditioner(equations.objective(), w,
                                                        [&](const auto& u, auto& result) { (*face_found)(u, result); });
  equations.objective().linearise(from.x);

  Vector dx = device::like(from.x), image = device::like(from.x), z = device::like(from.x), r = copied(from.gradient);
  std::vector<double> taken(system.forces().size());
  face.forces(system.wanted(), taken);
  preconditioner.spread(taken, dx);
  auto given = preconditioner.zeros();  // by the face
  system.stiffness(dx, image);
  device::negate(r);
  device::add_scaled(r, -1, image);
  // What dx turns is in its image already.
  system.add_forces(system.turning(std::vector<double>(taken.size())), 1, r);
  system.add_forces(system.forces(), 1, r);
  int iterations = 0;
  if (face.symmetric()) {
    const CgOutcome outcome = projected_cg(system, equations.objective(), preconditioner, std::move(r), tolerance,
                                           linear.max_cg, face_found->queued(), z, given);
    work.negative_curvature = work.negative_curvature || outcome.negative_curvature;
    iterations = outcome.iterations + 1;
  } else {
    Vector u = device::like(from.x);
    const auto op = [&](In v, Out y) {
      preconditioner.apply(v, z, given);
      system.stiffness(z, y);
      system.add_forces_of_face(1, given, y);
    };
    using Basis = typename ContactView<typename P::System>::Basis;
    iterations = contact::basic_gmres<Basis>({op, face_found->queued()}, r, tolerance, linear.max_cg, u).iterations + 1;
    preconditioner.apply(u, z, given);
  }
  const auto values = preconditioner.values(given);
  taken.assign(values.begin(), values.end());
  if (!face.symmetric()) system.set_forces(z, taken);
  work.a_solves += iterations + 1;
  work.hessian_products += iterations + 1;
  const std::vector<double> turning = system.turning(equations.relative(from.at, dx));
  device::add_scaled(z, 1, from.x);
  device::add_scaled(dx, 1, z);

  std::vector<double> forces = system.forces();
  for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += turning[i] - taken[i];
  ++work.gradients;
  return equations.evaluate(std::move(dx), std::move(forces));
}

template ContactPoint newton_step(ContactEquations&, const ContactPoint&, std::span<const ContactState>, double,
                                  const SolverSettings&, std::optional<FaceForces<Objective>>&, SolverOutcome&);
template BasicContactPoint<CudaObjective> newton_step(BasicContactEquations<CudaPotential>&,
                                                      const BasicContactPoint<CudaObjective>&,
                                                      std::span<const ContactState>, double, const SolverSettings&,
                                                      std::optional<FaceForces<CudaObjective>>&, SolverOutcome&);

}  // namespace proxima::solve
