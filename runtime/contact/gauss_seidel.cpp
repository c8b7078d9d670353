#include "runtime/contact/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "runtime/contact/face_newton.hpp"
#include "runtime/contact/fischer_burmeister.hpp"

namespace proxima::contact {
namespace {

// Sweeps before Newton's first step and between steps; a step that lowers the residual that much is followed at once by
// the next. Faces are found by trying, so residuals may rise for some steps.
constexpr int sweeps_between = 4;
constexpr double good_step = 0.1;
// After so many tries in which the lowest residual has not been halved, all contacts are solved at once from zero
// forces, by so many steps, unless they are too many for that. Later, sweeps alone go on from the lowest, longer each
// time.
constexpr int patience = 10, steps_at_once = 100, first_pause = 64;
constexpr std::size_t most_at_once = 600;
// Where contacts say the same twice a step can put any force on them; larger ones than this times the largest so far
// are no solution.
constexpr double largest_growth = 100;

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// Takes a step of Newton's method, back into the cones. Returns false where there is none.
bool take_step(CondensedPoint& point, const FaceNewton& newton) {
  std::vector<double> f = newton.step(point);
  if (f.empty() || !(largest(f) <= largest_growth * largest(point.forces()))) return false;
  for (std::size_t c = 0; c < point.size(); ++c) {
    const Vector3 inside = project(point.contact(c), {f[3 * c], f[3 * c + 1], f[3 * c + 2]}).force;
    std::copy(inside.begin(), inside.end(), f.begin() + static_cast<std::ptrdiff_t>(3 * c));
  }
  point.set_forces(f);
  return true;
}

void solve_all_at_once(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome) {
  point.set_forces(std::vector<double>(3 * point.size()));
  CondensedSettings limited = settings;
  limited.max_sweeps = outcome.newton_steps + steps_at_once;
  run_fischer_burmeister(point, limited, outcome);
}

}  // namespace

void sweep_once(CondensedPoint& point) {
  for (std::size_t c = 0; c < point.size(); ++c) {
    const Vector3 wanted = project(point.contact(c), point.trial(c)).force;
    if (wanted != point.force(c)) point.set_force(c, wanted);
  }
}

void run_gauss_seidel(CondensedPoint& point, const CondensedSettings& settings, CondensedOutcome& outcome) {
  std::vector<double> best;
  double lowest = std::numeric_limits<double>::infinity();
  int fruitless = 0, pause = first_pause, next_step = sweeps_between;
  bool all_at_once = false;
  std::optional<FaceNewton> newton;
  while (true) {
    double residual = point.residual();
    if (residual <= settings.tolerance) {
      point.refresh();
      residual = point.residual();
    }
    if (residual < lowest) {
      if (residual < lowest / 2) fruitless = 0;
      lowest = residual;
      best.assign(point.forces().begin(), point.forces().end());
    }
    if (residual <= settings.tolerance) return;
    if (outcome.sweeps >= settings.max_sweeps) break;
    if (outcome.sweeps >= next_step) {
      next_step = outcome.sweeps + sweeps_between;
      if (++fruitless > patience) {
        fruitless = 0;
        if (!all_at_once && point.size() <= most_at_once) {
          all_at_once = true;
          solve_all_at_once(point, settings, outcome);
          next_step = 0;
        } else {
          point.set_forces(best);
          next_step += pause;
          pause *= 2;
        }
        continue;
      }
      // A decomposition serves for as long as the face is the same and steps are good.
      if (!newton || !newton->shown_by(point)) newton.emplace(point);
      const bool good = take_step(point, *newton) && point.residual() <= good_step * residual;
      ++outcome.newton_steps;
      if (good)
        next_step = 0;
      else
        newton.reset();
    }
    sweep_once(point);
    ++outcome.sweeps;
  }
  point.set_forces(best);
}

}  // namespace proxima::contact
