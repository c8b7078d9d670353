// The way back against the way forward, both to 1e-4: the armadillo of ../shared/data (54 855 tets of stable
// Neo-Hookean, 1 m high, E = 1e5, nu = 0.4), its feet held and its head turned by 1.5 rad in a second, 30 steps of 1/30
// s. Rollouts and sweeps by turns, so that what else runs on the machine meets both alike. Usage: bench_adjoint
// [repetitions].
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/model/build.hpp"
#include "tests/solve/contrast.hpp"

namespace {

using namespace proxima;

std::string scene_text(const std::filesystem::path& mesh) {
  return fmt::format(R"({{
    "bodies": [{{ "name": "armadillo",
      "mesh": {{ "file": "{}" }},
      "place": {{ "scale": 0.0066082951550094585, "translate": [0, 0.3581321944509353, 0] }},
      "materials": [{{ "name": "a", "energy": "stable_neo_hookean.cpp", "density": 1000, "parameters": {{ "E": 1e5, "nu": 0.4 }} }}]
    }}],
    "dirichlet": [
      {{ "select": {{ "box": {{ "lower": [-9, -1, -9], "upper": [9, 0.05, 9] }} }} }},
      {{ "select": {{ "box": {{ "lower": [-9, 0.85, -9], "upper": [9, 2, 9] }} }},
         "motion": [{{ "time": 0 }}, {{ "time": 1, "rotation": [0, 1.5, 0] }}], "pivot": [0, 0.9, 0] }}
    ],
    "gravity": [0, -9.8, 0],
    "time": {{ "step": 0.03333333333333333, "steps": 30 }}
  }})",
                     mesh.string());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void run(int repetitions) {
  const auto file = bodies::armadillo_file();
  if (!file) fail("armadillo_10k.node is absent; set PROXIMA_SHARED_DATA to the folder it is in");
  jit::Engine engine;
  const auto scene =
      model::parse_scene(scene_text(absolute(*file)), PROXIMA_SOURCE_DIR "/dsl_examples/bench_adjoint.json");
  const auto model = model::build_model(scene, [&](const auto& path, const std::string& name) {
                       return std::make_shared<const ir::Energy>(engine.load_energy(path, name));
                     }).model;
  const solve::Objective objective(model, engine);
  const std::size_t nodes = model.mesh.nodes.size();
  std::vector<double> target(3 * nodes);
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = model.initial_positions[i] + (i % 3 == 0 ? 0.01 : 0);
  const adjoint::RecordedMotion loss({{model.steps, target}}, adjoint::uniform_weights(nodes));
  fmt::print("{} nodes, {} tets, {} threads\n", nodes, mesh::element_count(model.mesh), device::threads());
  fmt::print("forward: s, A-solves a step | backward: s, A-solves a step, worst residual | backward/forward\n");
  std::vector<double> forward, backward, ratio;
  for (int k = 0; k <= repetitions; ++k) {
    const auto gradient = adjoint::rollout_gradient(objective, model, {.tolerance = 1e-4}, {.tolerance = 1e-4}, loss,
                                                    solve::initial_state(model));
    if (k == 0) continue;  // it compiles the kernels
    forward.push_back(gradient.seconds_forward);
    backward.push_back(gradient.seconds_backward);
    ratio.push_back(backward.back() / forward.back());
    fmt::print("{:.2f} {:.1f} | {:.2f} {:.1f} {:.1e} | {:.2f}\n", forward.back(),
               static_cast<double>(gradient.a_solves_forward) / model.steps, backward.back(),
               static_cast<double>(gradient.a_solves) / model.steps, gradient.worst_residual, ratio.back());
    std::fflush(stdout);
  }
  fmt::print("medians: {:.2f} | {:.2f} | {:.2f}\n", median(forward), median(backward), median(ratio));
}

}  // namespace

int main(int count, char** values) {
  try {
    run(count > 1 ? std::max(1, std::atoi(values[1])) : 5);
    return 0;
  } catch (const proxima::Error& error) {
    fmt::print(stderr, "bench_adjoint: {}\n", error.what());
    return 2;
  }
}
