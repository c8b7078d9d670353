#include "runtime/solve/step/step_solution.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/methods/admm.hpp"
#include "runtime/solve/objective/copied.hpp"
#include "runtime/solve/step/cuda_given.hpp"
#include "runtime/solve/step/implicit_step.hpp"
#include "runtime/solve/step/step_given.hpp"

namespace proxima::solve {
namespace {

constexpr double floor_over_rounding = 1e7;
// Held nodes that cannot be moved in one go are moved in parts, none smaller than this share of the way.
constexpr double smallest_part = 1.0 / (1 << 16);
// Between parts the free nodes only have to follow roughly.
constexpr double part_tolerance = 1e-2;
constexpr int part_iterations = 20;
// Of alternating directions, on the way into the domain.
constexpr int entry_iterations = 500;

}  // namespace

template <class Given>
auto StepSolution<Given>::find() -> Vector {
  Vector x = predict();
  const double reference = reference_gradient(x);
  const double target =
      std::max(settings_.tolerance * reference, settings_.attainable * potential().objective().gradient_rounding(x));
  const SolverOutcome outcome = lower(target, reference, x);
  count(outcome);
  const double residual = outcome.gradient / reference;
  if (!std::isfinite(outcome.gradient)) {
    const std::string where = given_.describe_infinite(x);
    refuse("the forces are not finite" + (where.empty() ? "" : " in " + where), x);
  }
  if (outcome.end == SolverEnd::iterations) refuse(too_many_iterations(outcome, residual), x);
  if (outcome.end == SolverEnd::stuck)
    refuse(fmt::format("no step lowers the energy although the residual is {:.3g} and should be {:.3g}", residual,
                       settings_.tolerance),
           x);
  report_.residual = std::max(report_.residual, residual);
  return x;
}

template <class Given>
auto StepSolution<Given>::best(std::vector<Vector>& guesses) -> Vector* {
  double least = INFINITY;
  Vector* result = nullptr;
  for (auto& guess : guesses) {
    const double value = potential().value(guess).value;
    if (!std::isfinite(value) || value >= least) continue;
    least = value;
    result = &guess;
  }
  return result;
}

template <class Given>
SolverOutcome StepSolution<Given>::lower(double target, double, Out x) {
  return minimise(potential(), settings_.solver, target, x);
}

template <class Given>
std::string StepSolution<Given>::too_many_iterations(const SolverOutcome& outcome, double residual) const {
  return fmt::format("not solved in {} iterations of {}, the residual is {:.3g} and should be {:.3g}",
                     outcome.iterations, method_entry(outcome.finished_by).name, residual, settings_.tolerance);
}

template <class Given>
auto StepSolution<Given>::predict() -> Vector {
  std::vector<Vector> guesses;
  if (given_.inertia()) {
    guesses.push_back(free_flight());
    guesses.push_back(copied(given_.positions()));
    device::add_scaled(guesses.back(), given_.step().length, given_.velocities());
    given_.place_held(1, guesses.back());
  }
  guesses.push_back(copied(given_.positions()));
  given_.place_held(1, guesses.back());
  if (Vector* found = best(guesses)) return std::move(*found);
  return std::isfinite(potential().value(given_.positions()).value) ? move_in_parts() : enter();
}

template <class Given>
auto StepSolution<Given>::enter() -> Vector {
  Vector x = copied(given_.positions());
  given_.place_held(1, x);
  SolverOutcome work;
  const bool inside = enter_domain(potential(), entry_iterations, x, work);
  count(work);
  if (inside) return x;
  const auto outside = potential().value(given_.positions());
  fail(
      "{}: the energy is not finite at the start of the step in {}, and alternating directions found no way to "
      "where it is in {} iterations",
      given_.step().name, given_.describe_outside(outside, given_.positions()), work.iterations);
}

template <class Given>
auto StepSolution<Given>::free_flight() const -> Vector {
  Vector y = potential().objective().vector();
  given_.set_free_flight(y);
  given_.place_held(1, y);
  return y;
}

template <class Given>
auto StepSolution<Given>::move_in_parts() -> Vector {
  Vector x = copied(given_.positions()), trial = copied(x), gradient = copied(x);
  double done = 0, part = 0.5;
  int parts = 0;
  while (done < 1) {
    const double next = std::min(1.0, done + part);
    device::copy(x, trial);
    given_.place_held(next, trial);
    if (const auto there = potential().value(trial); !std::isfinite(there.value)) {
      part /= 2;
      if (part < smallest_part)
        throw Unsolved(fmt::format(
            "{}: the held nodes cannot be moved past {:.4g} of their way in this step: the energy is not finite in "
            "{}",
            given_.step().name, done, given_.describe_outside(there, trial)));
      continue;
    }
    device::copy(trial, x);
    done = next;
    part *= 2;
    ++parts;
    if (done == 1) break;
    potential().gradient(x, gradient);
    const double target = part_tolerance * device::norm(gradient);
    SolverSettings rough = settings_.solver;
    rough.method = Method::newton;
    rough.max_newton = part_iterations;
    count(minimise(potential(), rough, target, x));
  }
  report_.parts = std::max(report_.parts, parts);
  return x;
}

template <class Given>
double StepSolution<Given>::reference_gradient(In start) const {
  Vector at = copied(given_.positions());
  given_.place_held(1, at);
  double elastic = elastic_norm(at);
  if (!std::isfinite(elastic)) {
    device::copy(start, at);
    elastic = device::norm(potential().elastic(at).gradient);
  }
  double reference = elastic + device::norm(potential().imbalance(at));
  if (given_.inertia()) {
    const Vector y = free_flight();
    const auto& there = potential().elastic(y);
    if (std::isfinite(there.energy.value)) {
      Vector gradient = potential().imbalance(y);
      device::add_scaled(gradient, 1, there.gradient);
      reference = std::min(reference, device::norm(gradient));
    }
  }
  return std::max(reference, floor_over_rounding * potential().objective().gradient_rounding(start));
}

template <class Given>
double StepSolution<Given>::elastic_norm(In x) const {
  const auto& there = potential().elastic(x);
  return std::isfinite(there.energy.value) ? device::norm(there.gradient) : INFINITY;
}

template <class Given>
void StepSolution<Given>::count(const SolverOutcome& outcome) {
  report_.iterations += outcome.iterations;
  report_.a_solves += outcome.a_solves;
  report_.hessian_products += outcome.hessian_products;
  report_.gradients += outcome.gradients;
  report_.line_search_halvings += outcome.halvings;
  report_.negative_curvature |= outcome.negative_curvature;
}

template <class Given>
void StepSolution<Given>::refuse(const std::string& why, In x) const {
  throw Unsolved(fmt::format("{}: {}; the most compressed element is {}. A smaller time step may help.",
                             given_.step().name, why, given_.describe_compressed(x)));
}

template class StepSolution<StepGiven>;
template class StepSolution<CudaGiven>;

}  // namespace proxima::solve
