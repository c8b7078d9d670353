// DiffPD's cantilever (tests/solve/diffpd_cantilever.hpp), 25 steps and their gradient, beside the seconds that
// DiffPD's own program took (from its file, not measured here). Usage: bench_reference [repetitions] [threads ...]
// [method]. Wall seconds are medians with the least and the largest; processor seconds, of all threads, tell what the
// work costs where other programs share the machine. A tolerance of
// DiffPD is a part of |M y|/h^2, which is far from zero where the body is: the same residual by our measure is printed
// beside ours. Gradients are solved to 1e-4 at least. Fails where positions are further from DiffPD's than those of its
// projective method at 1e-4 are, or than 1e-6 m where the residual is below 1e-6.
#include <fmt/format.h>

#include <cstdlib>

#include "bench/reference/times.hpp"
#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/solve/objective/potential.hpp"
#include "tests/adjoint/diffpd_loss.hpp"

namespace {

using namespace proxima;

struct Settings {
  int repetitions = 5;
  std::vector<int> threads;
  solve::Method method = solve::Method::newton;
};

Settings settings_of(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const int number = std::atoi(arguments[k].c_str());
    if (number <= 0)
      settings.method = solve::method_named(arguments[k]);
    else if (k == 0)
      settings.repetitions = number;
    else
      settings.threads.push_back(number);
  }
  if (settings.threads.empty()) settings.threads = {1, 2};
  return settings;
}

// The largest of all steps: |grad g| over |M y|/h^2, y = x_n + h v_n + h^2 (gravity + f/m), free nodes, which is what
// DiffPD compares its tolerance with.
double diffpd_residual(const solve::Objective& objective, const model::Model& model,
                       const std::vector<solve::State>& states) {
  const double h = model.time_step;
  const auto mass = objective.mass();
  double worst = 0;
  for (int step = 0; step < model.steps; ++step) {
    const solve::State& before = states[step];
    auto force = model::nodal_forces(model, (step + 1) * h);
    for (std::size_t i = 0; i < force.size(); ++i)
      force[i] += mass[i / 3] * (model.gravity[i % 3] + before.velocities[i] / h);
    auto target = force;
    for (std::size_t i = 0; i < target.size(); ++i) target[i] += mass[i / 3] * before.positions[i] / (h * h);
    objective.clear_held(target);
    objective.enter_step({(step + 1) * h, h, before.positions, before.history});
    std::vector<double> gradient(force.size());
    solve::Potential(objective, before.positions, force).gradient(states[step + 1].positions, gradient);
    worst = std::max(worst, device::norm(gradient) / device::norm(target));
  }
  return worst;
}

void measure(const bodies::DiffpdCantilever& scene, jit::Engine& engine, const Settings& settings, double tolerance) {
  const solve::Objective objective(scene.model, engine);
  const auto loss = test::diffpd_loss(scene);
  solve::StepSettings steps{.tolerance = tolerance};
  steps.solver.method = settings.method;
  bench::Times forward, backward;
  std::vector<solve::State> states;
  adjoint::Gradient gradient;
  int a_solves = 0, iterations = 0;
  for (int k = 0; k <= settings.repetitions; ++k) {
    if (k == 1) forward = backward = {};  // the first one compiles kernels
    a_solves = iterations = 0;
    const auto count = [&](int, const solve::State&, const solve::StepReport& report) {
      a_solves += report.a_solves;
      iterations += report.iterations;
    };
    const auto start = solve::initial_state(scene.model);
    forward.add([&] { states = solve::simulate(objective, scene.model, steps, start, count); });
    backward.add([&] {
      adjoint::Tape tape(states);
      gradient = adjoint::backward(objective, scene.model, {}, {.tolerance = std::min(tolerance, 1e-4)}, loss, tape);
    });
  }
  const double error = test::largest_distance(states.back().positions, scene.positions);
  const double gradient_error = test::relative_distance(gradient.positions, scene.position_gradient);
  const double residual = diffpd_residual(objective, scene.model, states);
  fmt::print("proxima {:8} {:7} {:7g} {:.1e} | {:29} {:6} {:6} | {:29} {:6} | {:.1e} {:.1e}\n",
             solve::method_entry(settings.method).name, device::threads(), tolerance, residual, forward.text(),
             a_solves, iterations, backward.text(), gradient.a_solves, error, gradient_error);
  const double allowed = residual > 1e-6 ? scene.max_position_error : 1e-6;
  if (error > allowed) fail("positions are {:.2g} m from DiffPD's, {:.2g} is allowed", error, allowed);
}

int run(const Settings& settings) {
  const auto folder = bodies::reference_folder();
  if (!folder) fail("the folder reference is absent; set PROXIMA_SHARED_DATA to the one it is in");
  const auto scene = bodies::read_diffpd_cantilever(*folder);
  for (const auto& row : scene.seconds)
    fmt::print("DiffPD (from its file): {:16} threads {} tolerance {:g}: forward {:6.1f} s, backward {:6.1f} s\n",
               row.method, row.threads, row.tolerance, row.forward, row.backward);
  fmt::print(
      "who, method, threads, tolerance, largest residual as DiffPD means it | forward: wall s, processor s, A-solves, "
      "iterations | backward: the same | "
      "error of positions, m, and of the gradient by them\n");
  jit::Engine engine;
  for (const int threads : settings.threads) {
    device::set_threads(threads);
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-6}) measure(scene, engine, settings, tolerance);
  }
  return 0;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(settings_of({values + 1, values + count}));
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_reference: {}\n", error.what());
    return 2;
  }
}
