#include "tests/gpu/timed_worlds.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "runtime/solve/step/worlds.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace proxima::gpu {
namespace {

constexpr int timed_steps = 2;

struct World {
  std::string name;
  model::Model model;
  std::unique_ptr<solve::Objective> objective;
  solve::State state{};
};

struct Run {
  double milliseconds = 0;  // a step of all
  solve::SharedWork work{};
};

// `model_of` a world's number.
std::vector<World> make_worlds(jit::Engine& engine, int count, const std::function<model::Model(int)>& model_of) {
  std::vector<World> worlds;
  worlds.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    World& world = worlds.emplace_back(World{fmt::format("world {}", k), model_of(k), nullptr});
    world.objective = std::make_unique<solve::Objective>(world.model, engine, factor::Storage::fp32, 0,
                                                         k == 0 ? nullptr : worlds.front().objective.get());
  }
  return worlds;
}

// From the start; the first step, in which kernels are compiled and pages touched, is not timed.
Run run_all(std::span<World> worlds) {
  for (World& world : worlds) world.state = solve::initial_state(world.model);
  const auto steps = [&](int begin, int end) {
    std::vector<solve::World> all;
    all.reserve(worlds.size());
    for (World& world : worlds)
      all.push_back({world.name, world.objective.get(), [&world, begin, end] {
                       for (int step = begin; step < end; ++step)
                         solve::advance(*world.objective, world.model, step, {}, world.state);
                     }});
    return solve::run_worlds(all);
  };
  steps(0, 1);
  const auto start = std::chrono::steady_clock::now();
  const solve::SharedWork work = steps(1, 1 + timed_steps);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return {time.count() / timed_steps, work};
}

std::vector<std::vector<double>> ends_of(std::span<const World> worlds) {
  std::vector<std::vector<double>> ends;
  for (const World& world : worlds) ends.push_back(world.state.positions);
  return ends;
}

// |a - b| / |b|.
double distance(std::vector<double> a, const std::vector<double>& b) {
  device::add_scaled(a, -1, b);
  return device::norm(a) / device::norm(b);
}

void check(device::CudaEngine& gpu, const std::string& name, std::span<World> all, RuntimeReport& report) {
  const double of_cpu = run_all(all).milliseconds;
  const auto on_cpu = ends_of(all);
  for (World& world : all) world.objective->use(gpu);
  const Run together = run_all(all);
  const auto found = ends_of(all);
  const double alone = run_all(all.first(1)).milliseconds;

  double from_alone = 0, from_cpu = 0;
  for (std::size_t k = 0; k < all.size(); k += std::max<std::size_t>(1, all.size() / 8)) {
    World& world = all[k];
    world.state = solve::initial_state(world.model);
    for (int step = 0; step < 1 + timed_steps; ++step)
      solve::advance(*world.objective, world.model, step, {}, world.state);
    from_alone = std::max(from_alone, distance(found[k], world.state.positions));
  }
  for (std::size_t k = 0; k < all.size(); ++k) from_cpu = std::max(from_cpu, distance(found[k], on_cpu[k]));
  report.text +=
      fmt::format("| {} {} | {:.2f} | {:.2f} | {:.1f} | {:.2f} | {}, {} | {}, {} | {:.1e} | {:.1e} |\n", all.size(),
                  name, together.milliseconds, alone, together.milliseconds / alone, of_cpu, together.work.applications,
                  together.work.passes, together.work.requests, together.work.launches, from_alone, from_cpu);
  if (from_alone > 1e-12) {
    report.text += "  WRONG: worlds differ from what they are alone\n";
    ++report.wrong;
  }
  if (from_cpu > 1e-5) {
    report.text += "  WRONG: worlds differ from the CPU\n";
    ++report.wrong;
  }
}

}  // namespace

RuntimeReport check_worlds(device::CudaEngine& gpu, jit::Engine& engine, const WorldSizes& sizes) {
  RuntimeReport report;
  report.text =
      "\n| worlds side by side, Neo-Hookean, to 1e-6 | GPU, ms a step of all | of one alone | all / one alone | CPU, "
      "ms a "
      "step of all | A-solves, and readings of the factor | asked of the GPU, and launches | differ from alone by | "
      "from "
      "the CPU by |\n|---|---|---|---|---|---|---|---|---|\n";
  if (sizes.worlds > 0) {
    std::vector<World> bars = make_worlds(engine, sizes.worlds, [&](int k) {
      model::Model bar = bodies::make_bar(5 * sizes.across / 2, 0.04, sizes.across);
      bodies::hold_end(bar, false);
      bodies::stir(bar, 0.3 + 0.4 * k / sizes.worlds);
      return bar;
    });
    check(gpu, fmt::format("of a bar of {} tets", mesh::element_count(bars.front().model.mesh)), bars, report);
  }
  if (sizes.blocks > 0) {
    std::vector<World> blocks = make_worlds(engine, sizes.blocks, [&](int k) {
      return bodies::make_block({.slope = 20 + 10.0 * k / sizes.blocks, .friction = 0.3, .refine = sizes.refined});
    });
    check(gpu, fmt::format("of a block of {} nodes that slides", blocks.front().model.mesh.nodes.size()), blocks,
          report);
  }
  return report;
}

}  // namespace proxima::gpu
