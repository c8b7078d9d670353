#include "runtime/solve/step.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

using Targets = std::vector<std::pair<std::int32_t, model::Vector3>>;

constexpr double floor_over_rounding = 1e7;
// Of Objective::gradient_rounding: Newton ends between 0.04 and 0.13 of it when asked for more than there is.
constexpr double attainable = 0.25;
// Held nodes that cannot be moved in one go are moved in parts, none smaller than this share of the way.
constexpr double smallest_part = 1.0 / (1 << 16);
// Between parts the free nodes only have to follow roughly.
constexpr double part_tolerance = 1e-2;
constexpr int part_iterations = 20;

// Puts held nodes at `fraction` of the way from where `from` has them to their targets.
void place_held(const Targets& targets, std::span<const double> from, double fraction, std::span<double> x) {
  for (const auto& [node, target] : targets)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t i = 3 * static_cast<std::size_t>(node) + axis;
      x[i] = fraction == 1 ? target[axis] : from[i] + fraction * (target[axis] - from[i]);
    }
}

// x_n + h v_n + h^2 (gravity + f/m).
std::vector<double> inertial_target(const Objective& objective, const model::Model& model, double time,
                                    const State& state) {
  const double h = objective.time_step();
  const auto mass = objective.mass();
  const std::vector<double> force = model::nodal_forces(model, time);
  std::vector<double> y(state.positions.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = state.positions[i] + h * state.velocities[i] + h * h * (model.gravity[i % 3] + force[i] / mass[i / 3]);
  return y;
}

class Step {
 public:
  Step(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
       const State& state)
      : objective_(objective),
        settings_(settings),
        state_(state),
        time_((step + 1) * objective.time_step()),
        name_(fmt::format("step {} (to t = {:.6g} s)", step + 1, time_)),
        targets_(model::dirichlet_positions(model, time_)),
        y_(inertial_target(objective, model, time_, state)),
        potential_(objective, y_) {
    place_held(targets_, state.positions, 1, y_);
  }

  StepReport solve(std::vector<double>& x) {
    if (auto start = predict()) {
      x = std::move(*start);
    } else {
      x = move_in_parts();
    }
    const double reference = reference_gradient(x);
    const double target = std::max(settings_.tolerance * reference, attainable * objective_.gradient_rounding(x));
    const SolverOutcome outcome = minimise(potential_, settings_.solver, target, x);
    count(outcome);
    report_.residual = outcome.gradient / reference;
    if (!std::isfinite(outcome.gradient)) {
      const auto point = objective_.find_infinite_force(x);
      refuse("the forces are not finite" + (point ? " in " + describe(*point, x) : ""), x);
    }
    if (outcome.end == SolverEnd::iterations)
      refuse(fmt::format("not solved in {} iterations of {}, the residual is {:.3g} and should be {:.3g}",
                         outcome.iterations, method_entry(outcome.finished_by).name, report_.residual,
                         settings_.tolerance),
             x);
    if (outcome.end == SolverEnd::stuck)
      refuse(fmt::format("no step lowers the energy although the residual is {:.3g} and should be {:.3g}",
                         report_.residual, settings_.tolerance),
             x);
    return report_;
  }

 private:
  // The best of y, x_n + h v_n and x_n, by g, with held nodes at their targets; nothing where all are outside the
  // domain.
  std::optional<std::vector<double>> predict() const {
    std::vector<double> best = y_, other(y_.size());
    double least = potential_.value(best).value;
    for (const double share : {objective_.time_step(), 0.0}) {
      for (std::size_t i = 0; i < other.size(); ++i) other[i] = state_.positions[i] + share * state_.velocities[i];
      place_held(targets_, state_.positions, 1, other);
      const double value = potential_.value(other).value;
      if (std::isfinite(value) && !(value >= least)) {
        least = value;
        best = other;
      }
    }
    if (!std::isfinite(least)) return std::nullopt;
    return best;
  }

  // Moves held nodes from where x_n has them to their targets, the free ones following.
  std::vector<double> move_in_parts() {
    std::vector<double> x = state_.positions, trial, gradient(x.size());
    if (const auto now = potential_.value(x); !std::isfinite(now.value))
      fail("{}: the energy is not finite at the start of the step in {}", name_, describe(now, x));
    double done = 0, part = 0.5;
    report_.parts = 0;
    while (done < 1) {
      const double next = std::min(1.0, done + part);
      trial = x;
      place_held(targets_, state_.positions, next, trial);
      if (const auto there = potential_.value(trial); !std::isfinite(there.value)) {
        part /= 2;
        if (part < smallest_part)
          fail(
              "{}: the held nodes cannot be moved past {:.4g} of their way in this step: the energy is not finite in "
              "{}",
              name_, done, describe(there, trial));
        continue;
      }
      x = trial;
      done = next;
      part *= 2;
      ++report_.parts;
      if (done == 1) break;
      potential_.gradient(x, gradient);
      const double target = part_tolerance * device::norm(gradient);
      SolverSettings rough = settings_.solver;
      rough.method = Method::newton;
      rough.max_newton = part_iterations;
      count(minimise(potential_, rough, target, x));
    }
    return x;
  }

  // See StepSettings. `start` takes the place of x_n with held nodes moved where that is outside the domain.
  double reference_gradient(std::span<const double> start) const {
    std::vector<double> at = state_.positions, gradient(at.size());
    place_held(targets_, state_.positions, 1, at);
    if (!std::isfinite(objective_.elastic_energy(at).value)) at.assign(start.begin(), start.end());
    objective_.add_elastic_gradient(at, gradient);
    double reference = device::norm(gradient) + device::norm(potential_.inertial_force(at));
    if (std::isfinite(objective_.elastic_energy(y_).value)) {
      potential_.gradient(y_, gradient);
      reference = std::min(reference, device::norm(gradient));
    }
    return std::max(reference, floor_over_rounding * objective_.gradient_rounding(start));
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
    fail("{}: {}; the most compressed element is {}. A smaller time step may help.", name_, why,
         objective_.describe(objective_.most_compressed(x), x));
  }

  const Objective& objective_;
  const StepSettings& settings_;
  const State& state_;
  double time_;
  std::string name_;
  Targets targets_;
  std::vector<double> y_;
  Potential potential_;
  StepReport report_;
};

}  // namespace

StepReport advance(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
                   State& state) {
  const auto begin = std::chrono::steady_clock::now();
  objective.enter_step((step + 1) * objective.time_step(), state.positions, state.history);
  std::vector<double> x;
  StepReport report = Step(objective, model, step, settings, state).solve(x);
  const double h = objective.time_step();
  const auto mass = objective.mass();
  for (std::size_t i = 0; i < x.size(); ++i) {
    state.velocities[i] = (x[i] - state.positions[i]) / h;
    report.kinetic_energy += mass[i / 3] * state.velocities[i] * state.velocities[i] / 2;
  }
  state.history = objective.next_history(x);
  state.positions = std::move(x);
  // What is stored now is a function of what is carried on from here.
  objective.enter_step((step + 1) * h, state.positions, state.history);
  report.elastic_energy = objective.stored_energy(state.positions);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace proxima::solve
