#include "tests/gpu/timed_contact.hpp"

#include <fmt/format.h>

#include <chrono>

#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/step/rollout.hpp"
#include "tests/solve/contact_scenes.hpp"

namespace proxima::gpu {
namespace {

struct Steps {
  double milliseconds = 0, a_solves = 0, newton = 0;  // a step
  int contacts = 0;
};

Steps time_steps(const solve::Objective& objective, const model::Model& model) {
  constexpr int count = 3;
  auto state = solve::initial_state(model);
  solve::advance(objective, model, 0, {}, state);  // kernels are compiled, and pages touched
  Steps all;
  const auto start = std::chrono::steady_clock::now();
  for (int step = 1; step <= count; ++step) {
    const auto report = solve::advance(objective, model, step, {}, state);
    all.a_solves += static_cast<double>(report.a_solves) / count;
    all.newton += static_cast<double>(report.contact.newton) / count;
    all.contacts = report.contact.stick + report.contact.slip;
  }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  all.milliseconds = time.count() / count;
  return all;
}

std::string row(device::CudaEngine& gpu, jit::Engine& engine, int refined) {
  const model::Model model = bodies::make_block({.slope = 25, .friction = 0.3, .refine = refined});
  solve::Objective objective(model, engine);
  const Steps here = time_steps(objective, model);
  objective.use(gpu);
  const Steps there = time_steps(objective, model);
  device::CudaAhead& ahead = objective.gpu()->algebra_of_vectors()->ahead;
  ahead.with_graphs = false;
  ahead.most = 1;
  const Steps asking = time_steps(objective, model);
  return fmt::format("| {} | {} | {:.1f} | {:.2f} | {:.0f} | {:.1f} | {:.2f} | {:.2f} | {:.0f} |\n",
                     3 * model.mesh.nodes.size(), there.contacts, here.newton, here.milliseconds, here.a_solves,
                     there.newton, there.milliseconds, asking.milliseconds, there.a_solves);
}

}  // namespace

std::string time_blocks(device::CudaEngine& gpu, jit::Engine& engine, const std::vector<int>& refined) {
  std::string text =
      "\n| a block that slides down a plane, unknowns | contacts | CPU: Newton steps a step | ms | A-solves | GPU: "
      "Newton steps | ms | without graphs, asking after each iteration, ms | A-solves |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const int r : refined) text += row(gpu, engine, r);
  return text;
}

}  // namespace proxima::gpu
