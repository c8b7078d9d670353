#include "runtime/adjoint/adjoint.hpp"

#include <algorithm>
#include <chrono>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/linear_solve.hpp"

namespace proxima::adjoint {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void check_reach(const Loss& loss, const std::vector<solve::State>& states) {
  const int frames = static_cast<int>(states.size()) - 1;
  if (loss.last_frame() > frames)
    fail("the loss looks at frame {}, the rollout ends at frame {}", loss.last_frame(), frames);
}

void add(std::vector<std::vector<std::vector<double>>>& total, double scale,
         const std::vector<std::vector<std::vector<double>>>& terms) {
  if (total.empty()) {
    total = terms;
    for (auto& region : total)
      for (auto& parameter : region) std::fill(parameter.begin(), parameter.end(), 0.0);
  }
  for (std::size_t r = 0; r < terms.size(); ++r)
    for (std::size_t k = 0; k < terms[r].size(); ++k)
      for (std::size_t e = 0; e < terms[r][k].size(); ++e) total[r][k][e] += scale * terms[r][k][e];
}

// dL/drho of each region through the mass in inertia and weight: -z . d(grad g)/drho.
void add_density_gradient(const solve::Objective& objective, const model::Model& model, const solve::State& before,
                          const solve::State& after, std::span<const double> z, std::vector<double>& densities) {
  const double h = objective.time_step();
  for (std::size_t r = 0; r < densities.size(); ++r) {
    const auto volume = objective.nodal_volume(r);
    double total = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double acceleration = (after.positions[i] - before.positions[i] - h * before.velocities[i]) / (h * h);
      total += z[i] * volume[i / 3] * (acceleration - model.gravity[i % 3]);
    }
    densities[r] -= total;
  }
}

}  // namespace

double total_loss(const Loss& loss, const std::vector<solve::State>& states) {
  check_reach(loss, states);
  double total = 0;
  for (std::size_t k = 0; k < states.size(); ++k)
    total += loss.frame(static_cast<int>(k), states[k].positions, states[k].velocities, {}, {});
  return total;
}

Gradient backward(const solve::Objective& objective, const model::Model& model, const AdjointSettings& settings,
                  const Loss& loss, const std::vector<solve::State>& states, const std::function<void(int)>& each) {
  const auto begin = std::chrono::steady_clock::now();
  check_reach(loss, states);
  objective.require_gradients();
  const std::size_t size = 3 * objective.nodes();
  const int steps = static_cast<int>(states.size()) - 1;
  const double h = objective.time_step();
  const auto mass = objective.mass();

  Gradient result;
  result.densities.resize(objective.regions());
  result.forces.resize(static_cast<std::size_t>(steps));
  result.positions.resize(size);
  result.velocities.resize(size);
  auto& px = result.positions;  // dL/dx and dL/dv of the state at hand, with all that follows from it
  auto& pv = result.velocities;
  const auto add_frame = [&](int frame) {
    result.loss += loss.frame(frame, states[frame].positions, states[frame].velocities, px, pv);
    objective.clear_held(px);
    objective.clear_held(pv);
  };

  AdjointSolver solver(objective, settings);
  std::vector<double> b(size);
  for (int step = steps - 1; step >= 0; --step) {
    const solve::State &before = states[step], &after = states[step + 1];
    add_frame(step + 1);
    objective.enter_step((step + 1) * h, before.positions, before.history);
    for (std::size_t i = 0; i < size; ++i) b[i] = px[i] + pv[i] / h;
    const SolveEvidence evidence = solver.solve(after.positions, b);
    if (!evidence.solved)
      fail(
          "adjoint of step {}: the linear solve stands at a relative residual of {:.3g} after {} iterations, {:.3g} is "
          "wanted",
          step + 1, evidence.residual, evidence.a_solves, settings.tolerance);
    result.a_solves += evidence.a_solves;
    result.worst_residual = std::max(result.worst_residual, evidence.residual);
    result.negative_curvature_steps += evidence.negative_curvature;

    const std::span<const double> z = solver.solution();
    add(result.parameters, -1, objective.pull_back(after.positions, z));
    add_density_gradient(objective, model, before, after, z, result.densities);
    result.forces[step].assign(z.begin(), z.end());
    for (std::size_t i = 0; i < size; ++i) {
      px[i] = mass[i / 3] / (h * h) * z[i] - pv[i] / h;
      pv[i] = mass[i / 3] / h * z[i];
    }
    if (each) each(steps - step);
  }
  add_frame(0);
  result.seconds_backward = seconds_since(begin);
  return result;
}

Gradient rollout_gradient(const solve::Objective& objective, const model::Model& model,
                          const solve::StepSettings& step_settings, const AdjointSettings& settings, const Loss& loss,
                          const solve::State& start) {
  objective.require_gradients();  // before the time is spent
  const auto begin = std::chrono::steady_clock::now();
  int a_solves = 0;
  double residual = 0;
  const auto states = solve::simulate(objective, model, step_settings, start,
                                      [&](int, const solve::State&, const solve::StepReport& report) {
                                        a_solves += report.a_solves;
                                        residual = std::max(residual, report.residual);
                                      });
  const double forward = seconds_since(begin);
  Gradient result = backward(objective, model, settings, loss, states);
  result.seconds_forward = forward;
  result.a_solves_forward = a_solves;
  result.worst_step_residual = residual;
  return result;
}

}  // namespace proxima::adjoint
