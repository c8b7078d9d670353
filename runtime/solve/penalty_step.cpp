#include "runtime/solve/penalty_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/contact/gmres.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact_methods.hpp"
#include "runtime/solve/then_newton.hpp"

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

class PenaltySolution {
 public:
  PenaltySolution(PenaltyEquations& equations, const StepSettings& settings, double target)
      : equations_(equations),
        contacts_(equations.contacts()),
        objective_(equations.potential().objective()),
        settings_(settings),
        target_(target) {
    require_for_penalties(settings.solver.method);
    acceleration_ = method_.accelerate(settings.solver.window);
  }

  ContactOutcome run(std::span<double> x) {
    contacts_.add_near(x);
    now_ = equations_.evaluate({x.begin(), x.end()});
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
    std::copy(now_.x.begin(), now_.x.end(), x.begin());
    report();
    return outcome_;
  }

 private:
  // Whether there are contacts that have not been looked at; they are then.
  bool grows() {
    const bool near = contacts_.add_near(now_.x), missed = contacts_.add_missed(now_.x);
    if (near || missed) {
      acceleration_->clear();
      now_ = equations_.evaluate(std::move(now_.x));
    }
    return (near || missed) && now_.residual > target_;
  }

  // The derivative of what is left, times v; how the directions of friction turn with the normal is not in it.
  void differentiate(std::span<const double> v, std::span<double> y) const {
    objective_.hessian_product(v, y);
    const auto moved = relative(contacts_.keys(), now_.at, v);
    std::vector<double> answer(moved.size());
    for (std::size_t c = 0; c < blocks_.size(); ++c)
      for (std::size_t i = 0; i < 3; ++i) answer[3 * c + i] = mesh::dot(blocks_[c][i], mesh::vector_at(moved, c));
    add_forces(contacts_.keys(), now_.at, answer, 1, y);
    contacts_.subtract_curvature(now_.x, now_.at, pressed_, v, y);
    objective_.clear_held(y);
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
    FacePreconditioner preconditioner(objective_.preconditioner(), metric,
                                      [&](auto u, auto forces) { coupling.forces(u, forces); });
    return newton ? take_newton(preconditioner) : take_preconditioned(preconditioner);
  }

  bool take_newton(FacePreconditioner& preconditioner) {
    objective_.linearise(now_.x);
    std::vector<double> u(now_.x.size()), z(now_.x.size()), taken(3 * contacts_.size()), r(now_.left);
    for (double& value : r) value = -value;
    const contact::LinearOperator op = [&](std::span<const double> v, std::span<double> y) {
      preconditioner.apply(v, z, taken);
      differentiate(z, y);
    };
    const double forcing = std::min(loosest_forcing, std::sqrt(now_.residual / reference_));
    const double tolerance = std::max(forcing * now_.residual, target_share * target_);
    const int iterations = contact::gmres(op, r, tolerance, settings_.solver.max_cg, u).iterations + 1;
    preconditioner.apply(u, z, taken);
    outcome_.work.a_solves += iterations;
    outcome_.work.hessian_products += iterations;
    return search(z);
  }

  // With A + W^T K W in the place of the derivative.
  bool take_preconditioned(FacePreconditioner& preconditioner) {
    ++outcome_.report.proximal;
    std::vector<double> r(now_.left), f(r.size()), taken(3 * contacts_.size());
    for (double& value : r) value = -value;
    preconditioner.apply(r, f, taken);
    ++outcome_.work.a_solves;
    auto plain = moved(f, most_halvings);
    if (!plain) return false;
    if (const auto longer = acceleration_->direction(now_.x, f, now_.left); !longer.empty())
      if (auto other = moved(longer, 0); other && other->residual < leeway * plain->residual) plain = std::move(other);
    now_ = std::move(*plain);
    return true;
  }

  // The point that a step leads to, or the longest of its halves that leads to one where g is finite.
  std::optional<PenaltyPoint> moved(std::span<const double> step, int halvings) {
    for (int k = 0; k <= halvings; ++k) {
      std::vector<double> x = now_.x;
      device::add_scaled(x, std::ldexp(1.0, -k), step);
      contacts_.add_near(x);
      ++outcome_.work.gradients;
      if (PenaltyPoint next = equations_.evaluate(std::move(x)); std::isfinite(next.residual)) return next;
    }
    return std::nullopt;
  }

  bool search(std::span<const double> step) {
    ++outcome_.report.newton;
    for (int halvings = 0; halvings <= most_halvings; ++halvings) {
      const double length = std::ldexp(1.0, -halvings);
      std::vector<double> x = now_.x;
      device::add_scaled(x, length, step);
      contacts_.add_near(x);
      ++outcome_.work.gradients;
      PenaltyPoint next = equations_.evaluate(std::move(x));
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
    }
  }

  PenaltyEquations& equations_;
  ContactSet& contacts_;
  const Objective& objective_;
  StepSettings settings_;
  const ContactMethodRow& method_ = contact_method_row(settings_.solver.method);
  double target_, reference_ = 0;
  std::unique_ptr<Acceleration> acceleration_;
  PenaltyPoint now_;
  std::vector<PenaltyCoupling::Block> blocks_;  // K of each contact at now_
  std::vector<double> pressed_;
  ContactOutcome outcome_;
};

}  // namespace

ContactOutcome solve_penalty(PenaltyEquations& equations, const StepSettings& settings, double target,
                             std::span<double> x) {
  return PenaltySolution(equations, settings, target).run(x);
}

}  // namespace proxima::solve
