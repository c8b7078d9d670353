#include "apps/proxima/problem.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "compiler/emit/target.hpp"
#include "compiler/support/error.hpp"
#include "runtime/contact/start.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::app {
namespace {

// Each energy, or function, of each file once, however often it is used. `load` compiles it.
template <class Formula, class Load>
auto loader(Load load) {
  using Key = std::pair<std::string, std::string>;
  return [load, loaded = std::map<Key, std::shared_ptr<const Formula>>()](const std::filesystem::path& file,
                                                                          const std::string& name) mutable {
    auto& formula = loaded[{file.string(), name}];
    if (!formula) formula = std::make_shared<Formula>(load(file, name));
    return formula;
  };
}

// Of solids: stiffness at rest (2 mu + lambda) and what follows from it: how far a pressure wave goes in a step. The
// energies of a material add up; those of dissipation store nothing.
void print_stiffness(const Problem& problem) {
  const auto& regions = problem.model().regions;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (regions[r].overlay || regions[r].load || mesh::shape_row(regions[r].elements.shape).dimension < 3) continue;
    double weight = 0;
    for (std::size_t k = r; k < regions.size() && (k == r || regions[k].overlay); ++k)
      if (!regions[k].energy->dissipation) weight += problem.objective->rest_stiffness(k);
    const double speed = std::sqrt(weight / regions[r].density);
    fmt::print("material '{}': stiffness at rest {:.4g} Pa, waves of {:.3g} m/s go {:.3g} m in a step\n",
               regions[r].name, weight, speed, speed * problem.model().time_step);
  }
}

// In the scene as it is written beside the results, too.
void set_choice(model::Scene& scene, std::string model::SolverChoices::* choice, const char* key,
                const std::string& value) {
  scene.solver.*choice = value;
  auto resolved = nlohmann::ordered_json::parse(scene.resolved);
  resolved["solver"][key] = value;
  scene.resolved = resolved.dump(2) + "\n";
}

void choose_device(Problem& problem, const Problem* first) {
  const std::string asked = problem.scene.solver.device;
  if (asked == "cpu") return;
  const auto settle = [&](const char* device, const std::string& note) {
    set_choice(problem.scene, &model::SolverChoices::device, "device", device);
    problem.built.notes.push_back(note);
  };
  try {
    problem.gpu = first != nullptr && first->gpu ? first->gpu
                                                 : std::make_shared<device::CudaEngine>(jit::Engine::default_cache());
    problem.objective->use(*problem.gpu);
    settle("cuda", fmt::format("device: {}, {}", problem.gpu->device().name(), problem.gpu->architecture()));
  } catch (const Error& error) {
    if (asked == "cuda") fail("{}: solver.device is 'cuda': {}", problem.scene.file.string(), error.what());
    if (first != nullptr && first->gpu)
      fail("{}: does not go onto the GPU with the worlds before it: {}; --device cpu runs all on the CPU",
           problem.scene.file.string(), error.what());
    settle("cpu", fmt::format("device: the CPU ({})", error.what()));
    return;
  }
  // Not in what falls back to the CPU: the objective is on the GPU by now.
  if (problem.scene.solver.products_in_fp32) problem.objective->gpu()->set_product_precision(emit::Precision::fp32);
}

// What is wrong with a model doesn't know the scene's file.
template <class Work>
auto in_scene(const model::Scene& scene, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    fail("{}: {}", scene.file.string(), error.what());
  }
}

}  // namespace

Problem load_problem(const RunOptions& options, const Problem* first) {
  Problem problem;
  {
    const auto timer = problem.phases->measure("load");
    problem.scene = model::read_scene(options.scene);
    if (!options.solver.empty()) set_choice(problem.scene, &model::SolverChoices::method, "method", options.solver);
    if (!options.device.empty()) set_choice(problem.scene, &model::SolverChoices::device, "device", options.device);
    device::set_threads(options.threads.value_or(problem.scene.solver.threads));
    problem.engine = std::make_unique<jit::Engine>();
    jit::Engine& engine = *problem.engine;
    problem.built = model::build_model(
        problem.scene,
        loader<ir::Energy>([&engine](const auto& file, const auto& name) { return engine.load_energy(file, name); }),
        loader<ir::Function>(
            [&engine](const auto& file, const auto& name) { return engine.load_function(file, name); }));
  }
  in_scene(problem.scene, [&] { contact::require_start_outside(problem.model(), *problem.engine); });
  if (auto overlap = contact::overlap_at_start(problem.model()); !overlap.empty())
    problem.built.warnings.push_back(std::move(overlap));
  const auto timer = problem.phases->measure("factor");
  const auto storage = problem.scene.solver.factor_in_fp32 ? factor::Storage::fp32 : factor::Storage::fp64;
  problem.objective = in_scene(problem.scene, [&] {
    return std::make_unique<solve::Objective>(problem.model(), *problem.engine, storage, problem.scene.solver.deflation,
                                              first == nullptr ? nullptr : first->objective.get());
  });
  if (!options.states_only) choose_device(problem, first);
  return problem;
}

void print_problem(const Problem& problem) {
  for (const auto& note : problem.built.notes) fmt::print("{}\n", note);
  print_stiffness(problem);
  std::fflush(stdout);
  for (const auto& warning : problem.built.warnings) fmt::print(stderr, "proxima: warning: {}\n", warning);
}

void print_kernels(const Problem& problem) {
  const auto statistics = problem.engine->statistics();
  fmt::print("kernels: {} compiled in {:.2f} s, {} from the cache\n", statistics.compiled, statistics.compile_seconds,
             statistics.loaded);
}

void print_shared(std::size_t worlds, const solve::SharedWork& work) {
  fmt::print("{} worlds: {} A-solves in {} passes over the factor\n", worlds, work.applications, work.passes);
  if (work.launches > 0)
    fmt::print("on the GPU: what they asked for {} times was done in {} launches\n", work.requests, work.launches);
}

solve::StepSettings step_settings(const model::Scene& scene) {
  const auto& solver = scene.solver;
  // A penalty is another law of the model's contacts, and no way to solve theirs.
  const bool penalty = solver.contact == "penalty";
  return {
      solver.tolerance,
      {.method = solve::method_named(solver.method),
       .max_newton = solver.max_newton,
       .max_cg = solver.max_cg,
       .max_iterations = solver.max_iterations,
       .window = solver.window},
      {.condensed = penalty ? contact::CondensedMethod::gauss_seidel : contact::condensed_method_named(solver.contact),
       .max_iterations = solver.max_contact},
      scene.max_substeps};
}

adjoint::AdjointSettings adjoint_settings(const model::Scene& scene) {
  adjoint::AdjointSettings settings;
  settings.tolerance = scene.adjoint.tolerance;
  settings.max_cg = scene.adjoint.max_cg;
  settings.checkpoints = {adjoint::keep_named(scene.adjoint.states), scene.adjoint.every,
                          static_cast<std::size_t>(scene.adjoint.memory)};
  settings.estimate_errors = scene.adjoint.estimate_errors;
  settings.hessian = adjoint::hessian_named(scene.adjoint.hessian);
  return settings;
}

}  // namespace proxima::app
