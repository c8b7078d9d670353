// proxima run --solver compare: one scene, every method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/problem.hpp"
#include "apps/proxima/progress.hpp"
#include "compiler/support/error.hpp"
#include "runtime/solve/step/rollout.hpp"

namespace proxima::app {
namespace {

struct Run {
  std::string_view method;
  int steps = 0;  // solved
  solve::StepReport total;
  std::vector<double> positions;  // at the end
  std::string failure;            // "" where all steps are solved
};

Run simulate_with(const Problem& problem, const solve::MethodEntry& entry) {
  Run run{.method = entry.name, .steps = 0, .total = {}, .positions = {}, .failure = {}};
  auto settings = step_settings(problem.scene);
  settings.solver.method = entry.method;
  const auto stepper =
      solve::make_stepper(*problem.objective, problem.model(), settings, solve::initial_state(problem.model()));
  Progress progress(std::string(entry.name), problem.model().steps);
  try {
    for (int step = 0; step < problem.model().steps; ++step) {
      const auto report = stepper->advance(step);
      run.total.iterations += report.iterations;
      run.total.a_solves += report.a_solves;
      run.total.hessian_products += report.hessian_products;
      run.total.gradients += report.gradients;
      run.total.seconds += report.seconds;
      run.total.residual = std::max(run.total.residual, report.residual);
      progress.update(++run.steps, fmt::format("{} A-solves", report.a_solves));
    }
    run.positions = stepper->state()().positions;
  } catch (const Error& error) {
    run.failure = error.what();
  }
  return run;
}

// The largest distance of a node's two places, m.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); i += 3)
    most = std::max(most, std::hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
  return most;
}

void print_table(const std::vector<Run>& runs, int steps) {
  const auto first = std::find_if(runs.begin(), runs.end(), [](const Run& run) { return run.failure.empty(); });
  fmt::print("\n{:10} {:>9} {:>10} {:>9} {:>11} {:>10} {:>9} {:>15}", "solver", "steps", "iterations", "A-solves",
             "H-products", "gradients", "seconds", "worst residual");
  fmt::print(" {:>16}\n", first == runs.end() ? "" : fmt::format("m from {}", first->method));
  for (const Run& run : runs) {
    const auto& total = run.total;
    fmt::print("{:10} {:>9} {:10} {:9} {:11} {:10} {:9.3f} {:15.1e} {:>16}\n", run.method,
               fmt::format("{}/{}", run.steps, steps), total.iterations, total.a_solves, total.hessian_products,
               total.gradients, total.seconds, total.residual,
               run.failure.empty() ? fmt::format("{:.1e}", apart(run.positions, first->positions)) : "-");
  }
  for (const Run& run : runs)
    if (!run.failure.empty()) fmt::print("{}: {}\n", run.method, run.failure);
}

// Kernels are compiled when they are first asked for: not at the cost of the first method in the table.
void compile_kernels(const Problem& problem) {
  const auto state = solve::initial_state(problem.model());
  std::vector<double> y(state.positions.size());
  problem.objective->elastic_energy(state.positions);
  problem.objective->add_elastic_gradient(state.positions, y);
  problem.objective->hessian_vector(state.positions, state.velocities, y);
}

}  // namespace

int compare_solvers(const RunOptions& options) {
  RunOptions with_scene_method = options;
  with_scene_method.solver.clear();
  const Problem problem = load_problem(with_scene_method);
  print_problem(problem);
  compile_kernels(problem);
  std::vector<Run> runs;
  for (const auto& entry : solve::methods()) runs.push_back(simulate_with(problem, entry));
  print_table(runs, problem.model().steps);
  return 0;
}

}  // namespace proxima::app
