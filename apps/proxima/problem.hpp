// Everything a command needs before it may touch the disk: the scene read, its energies compiled, its model built and
// its matrix factored. A fault in any of them is thrown here.
#pragma once

#include <memory>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/phases.hpp"
#include "runtime/adjoint/adjoint.hpp"
#include "runtime/device/cuda_engine.hpp"
#include "runtime/model/build.hpp"
#include "runtime/solve/objective/objective.hpp"
#include "runtime/solve/step/step.hpp"
#include "runtime/solve/step/worlds.hpp"

namespace proxima::app {

struct Problem {
  model::Scene scene;
  model::Built built;
  std::unique_ptr<jit::Engine> engine;
  std::shared_ptr<device::CudaEngine> gpu;  // where the objective uses one
  std::unique_ptr<solve::Objective> objective;
  std::unique_ptr<Phases> phases = std::make_unique<Phases>();

  const model::Model& model() const { return built.model; }
};

// Sets the number of threads, too, and moves the objective to a GPU where that is asked for; scene.solver.device then
// says which device it came to. `first`: the world beside which this one will run: they share the GPU, and the factor
// of A where it is the same.
Problem load_problem(const RunOptions& options, const Problem* first = nullptr);

// The notes of the model on stdout and its warnings on stderr.
void print_problem(const Problem& problem);

// At the end of a command: kernels are compiled when they are first asked for.
void print_kernels(const Problem& problem);

// What worlds side by side did together.
void print_shared(std::size_t worlds, const solve::SharedWork& work);

solve::StepSettings step_settings(const model::Scene& scene);
adjoint::AdjointSettings adjoint_settings(const model::Scene& scene);

}  // namespace proxima::app
