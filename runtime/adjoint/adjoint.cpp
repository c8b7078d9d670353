#include "runtime/adjoint/adjoint.hpp"

#include <algorithm>
#include <chrono>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/linear_solve.hpp"
#include "runtime/solve/step_start.hpp"

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

// dL/drho of each region through the mass in inertia, its damping and weight: -z . d(grad g)/drho.
void add_density_gradient(const solve::Objective& objective, const model::Model& model, const solve::StepStart& start,
                          const solve::State& after, std::span<const double> z, std::vector<double>& densities) {
  const double h = start.step;
  for (std::size_t r = 0; r < densities.size(); ++r) {
    const auto& [nodes, volume] = objective.nodal_volume(r);
    const double damping = model.regions[r].damping.mass;
    double total = 0;
    for (std::size_t k = 0; k < 3 * nodes.size(); ++k) {
      const std::size_t i = 3 * static_cast<std::size_t>(nodes[k / 3]) + k % 3;
      double force = -model.gravity[i % 3];  // a unit of mass
      if (start.row->inertia) {
        const double velocity = (after.positions[i] - start.positions[i]) / h;
        force += (velocity - start.velocities[i]) / h + damping * velocity;
      }
      total += z[i] * volume[k / 3] * force;
    }
    densities[r] -= total;
  }
}

// Derivatives of all that follows by a state.
struct Bars {
  explicit Bars(std::size_t size) : x(size), v(size) {}
  std::vector<double> x, v;
};

// Before the time is spent.
void require_gradients(const solve::Objective& objective, const model::Model& model) {
  objective.require_gradients();
  if (!model.surface_loads.empty())
    fail(
        "surface load 0 (a fluid, or a pressure on a surface with a free rim) depends on the state a step starts from, "
        "and gradients through that are not available");
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
  require_gradients(objective, model);
  const std::size_t size = 3 * objective.nodes();
  const int steps = static_cast<int>(states.size()) - 1;
  const auto mass = objective.mass();
  for (int step = 0; step < steps; ++step)
    if (states[step + 1].substeps > 1)
      fail("adjoint of step {}: it was solved in {} sub-steps, and gradients through those are not available", step + 1,
           states[step + 1].substeps);

  Gradient result;
  result.densities.resize(objective.regions());
  result.forces.resize(static_cast<std::size_t>(steps));
  Bars at(size), earlier(size);  // of the state at hand, and what later steps have on the one before it
  const auto add_frame = [&](int frame) {
    result.loss += loss.frame(frame, states[frame].positions, states[frame].velocities, at.x, at.v);
    objective.clear_held(at.x);
    objective.clear_held(at.v);
  };

  AdjointSolver solver(objective, settings);
  std::vector<double> b(size), strained(size);
  for (int step = steps - 1; step >= 0; --step) {
    const solve::State &before = states[step], &after = states[step + 1];
    const solve::StepStart start = solve::step_start(model, before);
    const auto& row = *start.row;
    const double h = start.step;
    add_frame(step + 1);
    const auto driven = objective.controls().values(step, before);
    objective.enter_step({(step + 1) * model.time_step, h, start.positions, before.history, driven});
    for (std::size_t i = 0; i < size; ++i) b[i] = at.x[i] + (row.inertia ? at.v[i] / h : 0);
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
    const auto by_parameters = objective.pull_back(after.positions, z);
    add(result.parameters, -1, by_parameters);
    add_density_gradient(objective, model, start, after, z, result.densities);
    result.forces[step].assign(z.begin(), z.end());
    const auto inertia = objective.inertia();
    std::fill(strained.begin(), strained.end(), 0.0);
    objective.add_previous_pull_back(after.positions, z, strained);
    for (std::size_t i = 0; i < size; ++i) {
      const double x = (row.inertia ? inertia[i / 3] * z[i] - at.v[i] / h : 0) - strained[i];  // by x* and v*
      const double v = row.inertia ? mass[i / 3] / h * z[i] : 0;
      at.x[i] = earlier.x[i] + row.now * x;
      at.v[i] = earlier.v[i] + row.now * v;
      earlier.x[i] = row.before * x;
      earlier.v[i] = row.before * v;
    }
    std::vector<double> by_driven;
    by_driven.reserve(driven.size());
    for (const auto& drive : objective.controls().drives())
      by_driven.push_back(-by_parameters[drive.region][drive.parameter][0]);
    objective.controls().pull_back(step, before, by_driven, at.x, at.v, result.controllers);
    if (each) each(steps - step);
  }
  add_frame(0);
  result.positions = std::move(at.x);
  result.velocities = std::move(at.v);
  result.seconds_backward = seconds_since(begin);
  return result;
}

Gradient rollout_gradient(const solve::Objective& objective, const model::Model& model,
                          const solve::StepSettings& step_settings, const AdjointSettings& settings, const Loss& loss,
                          const solve::State& start) {
  require_gradients(objective, model);
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
