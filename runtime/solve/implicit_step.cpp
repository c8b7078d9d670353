#include "runtime/solve/implicit_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/admm.hpp"
#include "runtime/solve/contact_step.hpp"
#include "runtime/solve/contacts.hpp"
#include "runtime/solve/penalty_step.hpp"

namespace proxima::solve {
namespace {

using Targets = std::vector<std::pair<std::int32_t, model::Vector3>>;

constexpr double floor_over_rounding = 1e7;
// Held nodes that cannot be moved in one go are moved in parts, none smaller than this share of the way.
constexpr double smallest_part = 1.0 / (1 << 16);
// Between parts the free nodes only have to follow roughly.
constexpr double part_tolerance = 1e-2;
constexpr int part_iterations = 20;
// Of the residual without forces of contact: where they leave less than this, it is a place to start from.
constexpr double balanced = 1e-3;
// Of alternating directions, on the way into the domain.
constexpr int entry_iterations = 500;

// Puts held nodes at `fraction` of the way from where `from` has them to their targets.
void place_held(const Targets& targets, std::span<const double> from, double fraction, std::span<double> x) {
  for (const auto& [node, target] : targets)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t i = 3 * static_cast<std::size_t>(node) + axis;
      x[i] = fraction == 1 ? target[axis] : from[i] + fraction * (target[axis] - from[i]);
    }
}

class Solution {
 public:
  Solution(const Objective& objective, const model::Model& model, const StepSettings& settings,
           const ImplicitStep& step, const State& state, StepReport& report)
      : objective_(objective),
        settings_(settings),
        step_(step),
        state_(state),
        report_(report),
        targets_(model::dirichlet_positions(model, step.time)),
        force_(given_force(objective, model, step.time, step.start, state)),
        potential_(objective, step.start.positions, force_) {
    const contact::StepSpan span{step.time - step.length, step.time, state.positions};
    if (objective.contacts().penalty())
      penalty_.emplace(potential_, span, state.velocities);
    else if (!objective.contacts().none())
      contacts_.emplace(potential_, span, state.velocities, settings.contact.matrix);
  }

  std::vector<double> find() {
    std::vector<double> x = predict();
    const double reference = reference_gradient(x);
    const double target =
        std::max(settings_.tolerance * reference, settings_.attainable * objective_.gradient_rounding(x));
    const SolverOutcome outcome =
        touches() ? lower_with_contact(target, reference, x) : minimise(potential_, settings_.solver, target, x);
    count(outcome);
    const double residual = outcome.gradient / reference;
    if (!std::isfinite(outcome.gradient)) {
      const auto point = objective_.find_infinite_force(x);
      refuse("the forces are not finite" + (point ? " in " + describe(*point, x) : ""), x);
    }
    if (outcome.end == SolverEnd::iterations && touches())
      refuse(fmt::format("contacts not resolved in {} iterations, the residual is {:.3g} and should be {:.3g}{}{}",
                         outcome.iterations, residual, settings_.tolerance, why_.empty() ? "" : ": ", why_),
             x);
    if (outcome.end == SolverEnd::iterations)
      refuse(fmt::format("not solved in {} iterations of {}, the residual is {:.3g} and should be {:.3g}",
                         outcome.iterations, method_entry(outcome.finished_by).name, residual, settings_.tolerance),
             x);
    if (outcome.end == SolverEnd::stuck)
      refuse(fmt::format("no step lowers the energy although the residual is {:.3g} and should be {:.3g}", residual,
                         settings_.tolerance),
             x);
    report_.residual = std::max(report_.residual, residual);
    return x;
  }

 private:
  bool touches() const { return contacts_ || penalty_; }

  // The best by g, with contact by the residual, of x* + p/I, x_n + h v_n and x_n with held nodes at their targets;
  // where all of them are outside the domain, x_n with held nodes moved in parts, or brought into it where it is
  // outside itself.
  std::vector<double> predict() {
    std::vector<std::vector<double>> guesses;
    if (step_.start.row->inertia) {
      guesses.push_back(free_flight());
      guesses.push_back(state_.positions);
      device::add_scaled(guesses.back(), step_.length, state_.velocities);
      place_held(targets_, state_.positions, 1, guesses.back());
    }
    guesses.push_back(state_.positions);
    place_held(targets_, state_.positions, 1, guesses.back());
    double least = INFINITY;
    std::vector<double>* best = nullptr;
    for (auto& guess : guesses) {
      const double value = contacts_ ? INFINITY : penalty_ ? penalty_residual(guess) : potential_.value(guess).value;
      if (!std::isfinite(value) || value >= least) continue;
      least = value;
      best = &guess;
    }
    if (contacts_) best = best_with_contact(guesses);
    if (best != nullptr) return std::move(*best);
    return std::isfinite(potential_.value(state_.positions).value) ? move_in_parts() : enter();
  }

  double penalty_residual(const std::vector<double>& x) {
    penalty_->contacts().add_near(x);
    return penalty_->evaluate(x).residual;
  }

  // By the residual; none where all are outside the domain. A body that rests stays where it is, so x_n is looked at
  // first, and no other where forces of contact balance nearly all that is there.
  std::vector<double>* best_with_contact(std::vector<std::vector<double>>& guesses) {
    double least = INFINITY;
    std::vector<double>* best = nullptr;
    int starts = 0;
    for (auto guess = guesses.rbegin(); guess != guesses.rend(); ++guess) {
      ContactStart start = start_contact(*contacts_, *guess, StartForces::to_compare);
      ++starts;
      if (!std::isfinite(start.residual) || start.residual >= least) continue;
      least = start.residual;
      first_forces_ = std::move(start.forces);
      best = &*guess;
      if (start.residual < balanced * start.without_forces) break;
    }
    report_.a_solves += (starts + 1) / 2;  // half a one each
    return best;
  }

  // From a state that is itself outside the domain, its held nodes at their targets, into it.
  std::vector<double> enter() {
    std::vector<double> x = state_.positions;
    place_held(targets_, state_.positions, 1, x);
    SolverOutcome work;
    const bool inside = enter_domain(potential_, entry_iterations, x, work);
    count(work);
    if (inside) return x;
    const auto outside = potential_.value(state_.positions);
    fail(
        "{}: the energy is not finite at the start of the step in {}, and alternating directions found no way to "
        "where it is in {} iterations",
        step_.name, describe(outside, state_.positions), work.iterations);
  }

  // Where the body would be without its elements, held nodes at their targets.
  std::vector<double> free_flight() const {
    const auto inertia = objective_.inertia();
    std::vector<double> y = step_.start.positions;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (inertia[i / 3] > 0) y[i] += force_[i] / inertia[i / 3];
    place_held(targets_, state_.positions, 1, y);
    return y;
  }

  // Moves held nodes from where x_n has them to their targets, the free ones following.
  std::vector<double> move_in_parts() {
    std::vector<double> x = state_.positions, trial, gradient(x.size());
    double done = 0, part = 0.5;
    int parts = 0;
    while (done < 1) {
      const double next = std::min(1.0, done + part);
      trial = x;
      place_held(targets_, state_.positions, next, trial);
      if (const auto there = potential_.value(trial); !std::isfinite(there.value)) {
        part /= 2;
        if (part < smallest_part)
          throw Unsolved(fmt::format(
              "{}: the held nodes cannot be moved past {:.4g} of their way in this step: the energy is not finite in "
              "{}",
              step_.name, done, describe(there, trial)));
        continue;
      }
      x = trial;
      done = next;
      part *= 2;
      ++parts;
      if (done == 1) break;
      potential_.gradient(x, gradient);
      const double target = part_tolerance * device::norm(gradient);
      SolverSettings rough = settings_.solver;
      rough.method = Method::newton;
      rough.max_newton = part_iterations;
      count(minimise(potential_, rough, target, x));
    }
    report_.parts = std::max(report_.parts, parts);
    return x;
  }

  // See StepSettings. `start` takes the place of x_n with held nodes moved where that is outside the domain.
  double reference_gradient(std::span<const double> start) const {
    std::vector<double> at = state_.positions;
    place_held(targets_, state_.positions, 1, at);
    if (!std::isfinite(potential_.elastic(at).energy.value)) at.assign(start.begin(), start.end());
    double reference = device::norm(potential_.elastic(at).gradient) + device::norm(potential_.imbalance(at));
    if (step_.start.row->inertia) {
      const std::vector<double> y = free_flight();
      if (std::isfinite(potential_.elastic(y).energy.value)) {
        std::vector<double> gradient(y.size());
        potential_.gradient(y, gradient);
        reference = std::min(reference, device::norm(gradient));
      }
    }
    return std::max(reference, floor_over_rounding * objective_.gradient_rounding(start));
  }

  SolverOutcome lower_with_contact(double target, double reference, std::span<double> x) {
    const ContactOutcome outcome = penalty_ ? solve_penalty(*penalty_, settings_, target, x)
                                            : solve_contact(*contacts_, settings_, target, first_forces_, x);
    why_ = outcome.why;
    const ContactReport before = report_.contact;
    report_.contact = outcome.report;
    report_.contact.proximal += before.proximal;
    report_.contact.newton += before.newton;
    report_.contact.complementarity = outcome.report.complementarity / reference;
    return outcome.work;
  }

  void count(const SolverOutcome& outcome) {
    report_.iterations += outcome.iterations;
    report_.a_solves += outcome.a_solves;
    report_.hessian_products += outcome.hessian_products;
    report_.gradients += outcome.gradients;
    report_.line_search_halvings += outcome.halvings;
    report_.negative_curvature |= outcome.negative_curvature;
  }

  // The element, and what in the author's file has no value there.
  std::string describe(const ElementPoint& point, std::span<const double> x) const {
    const std::string cause = objective_.trace(point, x);
    return objective_.describe(point, x) + (cause.empty() ? "" : ": " + cause);
  }

  std::string describe(const ElasticEnergy& energy, std::span<const double> x) const {
    return describe(energy.outside.value_or(objective_.most_compressed(x)), x);
  }

  [[noreturn]] void refuse(const std::string& why, std::span<const double> x) const {
    throw Unsolved(fmt::format("{}: {}; the most compressed element is {}. A smaller time step may help.", step_.name,
                               why, objective_.describe(objective_.most_compressed(x), x)));
  }

  const Objective& objective_;
  const StepSettings& settings_;
  const ImplicitStep& step_;
  const State& state_;
  StepReport& report_;
  Targets targets_;
  std::vector<double> force_;
  Potential potential_;
  std::optional<ContactEquations> contacts_;  // where the model has contacts, by their law
  std::optional<PenaltyEquations> penalty_;   // or by penalties
  std::vector<double> first_forces_;          // of them, at the first guess
  std::string why_;                           // contacts were not resolved
};

}  // namespace

std::vector<double> given_force(const Objective& objective, const model::Model& model, double time,
                                const StepStart& start, const State& state) {
  const auto mass = objective.mass();
  std::vector<double> force = model::nodal_forces(model, time);
  for (const auto& load : model.surface_loads) model::add_force(load, time, state.positions, state.velocities, force);
  for (std::size_t i = 0; i < force.size(); ++i) {
    force[i] += mass[i / 3] * model.gravity[i % 3];
    if (start.row->inertia) force[i] += mass[i / 3] / start.step * start.velocities[i];
  }
  return force;
}

std::vector<double> solve_implicit(const Objective& objective, const model::Model& model, const StepSettings& settings,
                                   const ImplicitStep& step, const State& state, StepReport& report) {
  return Solution(objective, model, settings, step, state, report).find();
}

}  // namespace proxima::solve
