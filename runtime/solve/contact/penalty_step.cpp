#include "runtime/solve/contact/penalty_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/contact/gmres.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact/contact_methods.hpp"
#include "runtime/solve/contact/contact_operator.hpp"
#include "runtime/solve/contact/penalty_forces.hpp"
#include "runtime/solve/methods/then_newton.hpp"

namespace proxima::solve {
namespace {

// Linear systems are not solved better than to the second share of the target, nor worse than to the first of the
// residual.
constexpr double loosest_forcing = 0.1, target_share = 0.1;
// Of a step's length: what it must lower the residual by, and how often it is halved.
constexpr double least_fall = 1e-4;
constexpr int most_halvings = 14;
// A longer step of a method without H may let the residual grow by this over a plain one.
constexpr double leeway = 1.5;
// How many more steps such a method may take.
constexpr int without_newton = 10;

template <class P>
class PenaltySolution {
 public:
  using System = typename P::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;
  using Equations = BasicPenaltyEquations<P>;
  using Point = typename Equations::Point;

  PenaltySolution(Equations& equations, const StepSettings& settings, double target)
      : equations_(equations),
        contacts_(equations.contacts()),
        objective_(equations.objective()),
        settings_(settings),
        target_(target) {
    require_for_penalties(settings.solver.method);
    acceleration_ = make_acceleration<System>(method_.longer, settings.solver.window);
  }

  ContactOutcome run(Out x) {
    equations_.add_near(x);
    now_ = equations_.evaluate(copied(x));
    reference_ = now_.residual;
    auto& work = outcome_.work;
    work.end = SolverEnd::iterations;
    WhileItGetsOn gets_on(reference_);
    bool newton = method_.newton == FaceSteps::at_once;
    const int most = settings_.contact.max_iterations * (newton ? 1 : without_newton);
    for (; work.iterations < most; ++work.iterations) {
      if (now_.residual <= target_ && !grows()) {
        work.end = SolverEnd::converged;
        break;
      }
      newton = newton || (method_.newton == FaceSteps::when_slow && !gets_on(now_.residual));
      if (!take_step(newton)) {
        work.end = SolverEnd::stuck;
        break;
      }
    }
    device::copy(now_.x, x);
    report();
    return outcome_;
  }

 private:
  // Whether there are contacts that have not been looked at; they are then.
  bool grows() {
    const bool near = equations_.add_near(now_.x), missed = equations_.add_missed(now_.x);
    if (near || missed) {
      acceleration_->clear();
      now_ = equations_.evaluate(std::move(now_.x));
    }
    return (near || missed) && now_.residual > target_;
  }

  // The derivative of what is left, as H and what this adds; how the directions of friction turn with the normal is not
  // in it.
  ContactOperator<System> derivative_of_contacts() const {
    auto blocks = curvature(contacts_, equations_.view().seen(now_.x), now_.at, pressed_);
    for (std::size_t c = 0; c < blocks.size(); ++c) add_answer(now_.at[c], blocks_[c], blocks[c]);
    return {objective_, contacts_.keys(), std::move(blocks)};
  }

  bool take_step(bool newton) {
    blocks_.clear();
    pressed_.clear();
    for (std::size_t c = 0; c < now_.at.size(); ++c) {
      const auto law = equations_.law(now_.at[c], c);
      pressed_.push_back(contact::penalty_force(law, now_.at[c]).pressed);
      auto& block = blocks_.emplace_back(contact::penalty_derivative(law, now_.at[c]));
      for (auto& row : block) row = mesh::scaled(-1, row);
    }
    const ContactMetric metric = contacts_.metric(now_.at, contact::CondensedStorage::stored);
    const PenaltyCoupling coupling(metric, blocks_);
    if (!coupling.exists()) return false;
    PenaltyForces<System> between(objective_, coupling);
    FacePreconditioner<System> preconditioner(objective_, metric,
                                              [&](const auto& u, auto& forces) { between(u, forces); });
    return newton ? take_newton(preconditioner) : take_preconditioned(preconditioner);
  }

  bool take_newton(FacePreconditioner<System>& preconditioner) {
    objective_.linearise(now_.x);
    const auto contacts = derivative_of_contacts();
    Vector u = device::like(now_.x), z = device::like(now_.x), r = copied(now_.left);
    device::negate(r);
    auto taken = preconditioner.zeros();
    const auto op = [&](In v, Out y) {
      preconditioner.apply(v, z, taken);
      objective_.hessian_product(z, y);
      contacts.add_moves(z, y);
    };
    const double forcing = std::min(loosest_forcing, std::sqrt(now_.residual / reference_));
    const double tolerance = std::max(forcing * now_.residual, target_share * target_);
    using Basis = typename ContactView<System>::Basis;
    const int iterations =
        contact::basic_gmres<Basis>({op, true}, r, tolerance, settings_.solver.max_cg, u).iterations + 1;
    preconditioner.apply(u, z, taken);
    outcome_.work.a_solves += iterations;
    outcome_.work.hessian_products += iterations;
    return search(z);
  }

  // With A + W^T K W in the place of the derivative.
  bool take_preconditioned(FacePreconditioner<System>& preconditioner) {
    ++outcome_.report.proximal;
    Vector r = copied(now_.left), f = device::like(now_.x);
    device::negate(r);
    auto taken = preconditioner.zeros();
    preconditioner.apply(r, f, taken);
    ++outcome_.work.a_solves;
    auto plain = moved(f, most_halvings);
    if (!plain) return false;
    if (const auto longer = acceleration_->direction(now_.x, f, now_.left))
      if (auto other = moved(*longer, 0); other && other->residual < leeway * plain->residual) plain = std::move(other);
    now_ = std::move(*plain);
    return true;
  }

  // The point that a step leads to, or the longest of its halves that leads to one where g is finite.
  std::optional<Point> moved(In step, int halvings) {
    for (int k = 0; k <= halvings; ++k) {
      Vector x = copied(now_.x);
      device::add_scaled(x, std::ldexp(1.0, -k), step);
      equations_.add_near(x);
      ++outcome_.work.gradients;
      if (Point next = equations_.evaluate(std::move(x)); std::isfinite(next.residual)) return next;
    }
    return std::nullopt;
  }

  bool search(In step) {
    ++outcome_.report.newton;
    for (int halvings = 0; halvings <= most_halvings; ++halvings) {
      const double length = std::ldexp(1.0, -halvings);
      Vector x = copied(now_.x);
      device::add_scaled(x, length, step);
      equations_.add_near(x);
      ++outcome_.work.gradients;
      Point next = equations_.evaluate(std::move(x));
      if (next.residual < (1 - least_fall * length) * now_.residual) {
        now_ = std::move(next);
        return true;
      }
      ++outcome_.work.halvings;
    }
    return false;
  }

  // A contact that slips more slowly than friction needs to be Coulomb's counts as one that sticks.
  void report() {
    outcome_.work.gradient = now_.residual;
    ContactReport& counts = outcome_.report;
    for (std::size_t c = 0; c < now_.at.size(); ++c) {
      const auto& at = now_.at[c];
      const auto law = equations_.law(at, c);
      const auto across = mesh::minus(at.slip, mesh::scaled(mesh::dot(at.slip, at.normal), at.normal));
      ++(at.gap >= 0 ? counts.open : mesh::norm(across) < law.relaxed ? counts.stick : counts.slip);
      counts.deepest = std::max(counts.deepest, -at.gap);
      if (at.gap < 0) counts.touching.push_back(contacts_.keys()[c]);
      if (contacts_.keys()[c].kind != model::ContactKind::node_obstacle) continue;
      const auto force = contact::penalty_force(law, at);
      mesh::add(counts.obstacle_force, force.pressed, force.direction);
    }
  }

  Equations& equations_;
  ContactSet& contacts_;
  const System& objective_;
  StepSettings settings_;
  const ContactMethodRow& method_ = contact_method_row(settings_.solver.method);
  double target_, reference_ = 0;
  std::unique_ptr<Acceleration<System>> acceleration_;
  Point now_;
  std::vector<PenaltyCoupling::Block> blocks_;  // K of each contact at now_
  std::vector<double> pressed_;
  ContactOutcome outcome_;
};

}  // namespace

template <class P>
ContactOutcome solve_penalty(BasicPenaltyEquations<P>& equations, const StepSettings& settings, double target,
                             typename P::System::Out x) {
  return PenaltySolution<P>(equations, settings, target).run(x);
}

template ContactOutcome solve_penalty(PenaltyEquations&, const StepSettings&, double, std::span<double>);
template ContactOutcome solve_penalty(BasicPenaltyEquations<CudaPotential>&, const StepSettings&, double,
                                      device::CudaVector&);

}  // namespace proxima::solve
