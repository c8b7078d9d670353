#include "tests/gpu/timed_steps.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "runtime/adjoint/losses.hpp"
#include "runtime/solve/objective/conjugate_gradients.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "tests/gpu/timing.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contrast.hpp"

namespace proxima::gpu {
namespace {

constexpr int repetitions = 25;

template <class Action>
double seconds(const Action& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Steps {
  double milliseconds = 0;  // a step
  double a_solves = 0, products = 0, gradients = 0;
};

Steps time_steps(const solve::Objective& objective, const model::Model& model, int count) {
  auto state = solve::initial_state(model);
  solve::advance(objective, model, 0, {}, state);  // kernels are compiled, and pages touched
  Steps all;
  const double time = seconds([&] {
    for (int step = 1; step <= count; ++step) {
      const auto report = solve::advance(objective, model, step, {}, state);
      all.a_solves += report.a_solves;
      all.products += report.hessian_products;
      all.gradients += report.gradients;
    }
  });
  return {1e3 * time / count, all.a_solves / count, all.products / count, all.gradients / count};
}

// "44 x 0.071 = 3.1": so many, milliseconds of one, of all.
std::string phase(double count, const Time& one) {
  return fmt::format("{:.0f} x {:.3f} = {:.2f}", count, 1e-3 * one.median, count * 1e-3 * one.median);
}

// Of an iteration of CG, by the clock.
Time time_cg(const solve::CudaObjective& there, const device::CudaVector& b, bool with_graphs) {
  constexpr int iterations = 40;
  solve::BasicCgWorkspace<solve::CudaObjective> work(there);
  device::CudaVector z = there.vector();
  there.algebra_of_vectors()->ahead.with_graphs = with_graphs;
  const Time all = time_of(
      [&] {
        device::set_zero(z);
        return 1e3 * seconds([&] { solve::conjugate_gradients(there, b, 0, iterations, true, work, z); });
      },
      repetitions);
  there.algebra_of_vectors()->ahead.with_graphs = true;
  return {all.median / iterations, all.spread};
}

std::string bar_row(device::CudaEngine& engine, jit::Engine& processor_engine, int across) {
  constexpr int count = 2;
  model::Model model = bodies::make_bar(5 * across / 2, 0.04, across);
  bodies::hold_end(model, false);
  bodies::stir(model, 0.5);
  solve::Objective objective(model, processor_engine);
  const Steps processor = time_steps(objective, model, count);
  objective.use(engine);
  const Steps gpu = time_steps(objective, model, count);

  const solve::CudaObjective& there = *objective.gpu();
  device::CudaVector x = there.vector(), r = there.vector(), z = there.vector();
  x.write(model.initial_positions);
  const auto time = [&](const auto& action) {
    return time_of([&] { return engine.device().milliseconds(action); }, repetitions);
  };
  const Time gradient = time([&] { there.add_elastic_gradient(x, r); });
  const Time a_solve = time([&] { there.precondition(r, z); });
  there.linearise(x);
  const Time product = time([&] { there.hessian_product(z, r); });
  solve::Objective deflated(model, processor_engine, factor::Storage::fp32, 12);
  deflated.use(engine);
  solve::CudaObjective& with_m = *deflated.gpu();
  with_m.follow();
  const Time m = time([&] { with_m.precondition_hessian(r, z); });
  const Time turn = time([&] { with_m.linearise(x); });
  std::vector<double> b(model.initial_positions.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(3.1 * static_cast<double>(i));
  objective.clear_held(b);
  r.write(b);
  const Time graphs = time_cg(there, r, true), launches = time_cg(there, r, false);
  const double known =
      1e-3 * (gpu.a_solves * a_solve.median + gpu.products * product.median + gpu.gradients * gradient.median);
  return fmt::format(
      "| {} x {} x {} cubes | {} | {:.2f} | {:.2f} | {} | {} | {} | {:.2f} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n",
      5 * across / 2, across, across, 3 * model.mesh.nodes.size(), processor.milliseconds, gpu.milliseconds,
      phase(gpu.a_solves, a_solve), phase(gpu.products, product), phase(gpu.gradients, gradient),
      gpu.milliseconds - known, 1e-3 * m.median, 1e-3 * turn.median, 1e-3 * graphs.median, 1e-3 * launches.median);
}

}  // namespace

std::string time_bars(device::CudaEngine& gpu, jit::Engine& engine, const std::vector<int>& across) {
  std::string text =
      "\n| a bar that is held and stirred, Neo-Hookean, to 1e-6 | unknowns | CPU, ms a step | GPU, ms a step | of "
      "which A^-1 | products with H | gradients | the rest | one M, ms | turning its frames, ms | a CG iteration, ms | "
      "without graphs, ms |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const int cells : across) text += bar_row(gpu, engine, cells);
  return text;
}

std::string time_twist(device::CudaEngine& gpu, jit::Engine& engine, const std::filesystem::path& mesh,
                       const std::shared_ptr<const ir::Energy>& energy, int steps) {
  constexpr double tolerance = 1e-4, most_seconds = 1;
  model::Model model = bodies::make_contrast_armadillo(mesh, energy, 1);
  model.steps = steps;
  solve::Objective objective(model, engine);
  std::vector<double> target = model.initial_positions;
  for (std::size_t i = 0; i < target.size(); i += 3) target[i] += 0.01;
  const auto gradient = [&](int of_steps) {
    model.steps = of_steps;
    const adjoint::RecordedMotion loss({{of_steps, target}}, adjoint::uniform_weights(model.mesh.nodes.size()));
    return adjoint::rollout_gradient(objective, model, {.tolerance = tolerance}, {.tolerance = tolerance}, loss,
                                     solve::initial_state(model));
  };
  const auto measure = [&] {
    (void)gradient(1);  // kernels are compiled, and pages touched
    return gradient(steps);
  };
  const adjoint::Gradient processor = measure();
  objective.use(gpu);
  const adjoint::Gradient there = measure();
  std::string text = fmt::format(
      "\n| the twisted Armadillo, {} tets, {}, {} steps, both tolerances 1e-4 | forward, s | A-solves a step | "
      "backward, s | A-solves a step |\n|---|---|---|---|---|\n",
      mesh::element_count(model.mesh), energy->name, steps);
  for (const auto& [name, found] :
       {std::pair<const char*, const adjoint::Gradient*>{"GPU", &there}, {"CPU", &processor}})
    text += fmt::format("| {} | {:.2f} | {:.0f} | {:.2f} | {:.0f} |\n", name, found->seconds_forward,
                        static_cast<double>(found->a_solves_forward) / steps, found->seconds_backward,
                        static_cast<double>(found->a_solves) / steps);
  text += "\n| target | at most | found | |\n|---|---|---|---|\n";
  for (const auto& [name, time] : {std::pair{"forward", there.seconds_forward}, {"backward", there.seconds_backward}})
    text += fmt::format("| the twist {}, s | {:g} | {:.2f} | {} |\n", name, most_seconds, time,
                        time <= most_seconds ? "met" : "**not met**");
  return text;
}

}  // namespace proxima::gpu
