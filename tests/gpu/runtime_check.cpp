#include "tests/gpu/runtime_check.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/losses.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/factor/cuda_factor.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "tests/factor/matrices.hpp"
#include "tests/gpu/timing.hpp"
#include "tests/solve/bodies.hpp"
#include "tests/solve/cantilever.hpp"
#include "tests/solve/element_models.hpp"
#include "tests/solve/touching_scenes.hpp"

namespace proxima::gpu {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int repetitions = 25, slow_modes = 12;
constexpr std::string_view with_deflation = "_with_deflation", in_single = "_in_fp32";

// Whether it ends so; the end is taken off.
bool take_end(std::string& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  name.resize(name.size() - end.size());
  return true;
}

double milliseconds(const std::function<void()>& action) {
  const auto start = Clock::now();
  action();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// |a - b| / |b|.
double distance(std::vector<double> a, const std::vector<double>& b) {
  device::add_scaled(a, -1, b);
  return device::norm(a) / device::norm(b);
}

// Values per element, moving ends and forces that come and go; stiffness contrast; one of the element models.
model::Model make_scene(const std::string& name) {
  if (name == "mixed") return bodies::make_mixed_scene(4);
  if (const auto found = bodies::touching_scenes().find(name); found != bodies::touching_scenes().end())
    return found->second();
  const bool cantilever = name == "cantilever";
  model::Model model = cantilever ? bodies::make_twisted_cantilever(100, 0.45) : bodies::make_element_model(name);
  model.steps = cantilever ? 2 : 3;
  if (cantilever) return model;
  bodies::stir(model, 0.3);
  // Held, so that it matters how heavy and how stiff the body is: the centre of a free one only flies.
  model.dirichlet = {{{0, 1}, {}, {}}};
  model.gravity = {0, 0, -1};
  return model;
}

class Check {
 public:
  Check(device::CudaEngine& gpu, jit::Engine& engine, double bandwidth)
      : gpu_(gpu), engine_(engine), bandwidth_(bandwidth), algebra_(std::make_shared<device::CudaAlgebra>(gpu)) {}

  void solves(const std::vector<int>& grids) {
    report_.text +=
        "\n| solve, three right-hand sides | rows | entries, 1e6 | GPU, us | reading the factor twice at the speed of "
        "a "
        "copy, us | times that | CPU, us |\n|---|---|---|---|---|---|---|\n";
    for (const factor::Storage storage : {factor::Storage::fp64, factor::Storage::fp32})
      for (const int cells : grids) solve(cells, storage);
  }

  void scenes(const std::vector<std::string>& names) {
    report_.text +=
        "\n| scene, compared with the CPU | nodes | positions differ by | histories by | gradient by velocities by | "
        "the "
        "part of it that differs most, by |\n|---|---|---|---|---|---|\n";
    for (const std::string& name : names) {
      std::string scene = name;
      const bool single = take_end(scene, in_single), deflated = take_end(scene, with_deflation);
      compare(name, make_scene(scene), deflated ? slow_modes : 0,
              single ? emit::Precision::fp32 : emit::Precision::fp64);
    }
  }

  RuntimeReport report() const { return report_; }

 private:
  void require(bool right, const std::string& what) {
    if (right) return;
    report_.text += fmt::format("  WRONG: {}\n", what);
    ++report_.wrong;
  }

  void solve(int cells, factor::Storage storage) {
    const factor::SparseSymmetric matrix = factor::kuhn_grid(cells);
    factor::SupernodalCholesky factor(matrix, storage);
    factor.factorize(matrix);
    const auto b = factor::random_vector(3 * static_cast<std::size_t>(matrix.size), 5);
    std::vector<double> expected(b.size()), found(b.size());
    const Time processor = time_of([&] { return milliseconds([&] { factor.solve(b, expected); }); }, repetitions);
    factor::CudaFactor on_gpu(gpu_, factor);
    on_gpu.copy(factor);
    device::CudaVector right(algebra_, b.size()), x(algebra_, b.size());
    right.write(b);
    const Time time = time_of([&] { return gpu_.device().milliseconds([&] { on_gpu.solve(right, x); }); }, repetitions);
    x.read(found);
    const bool fp64 = storage == factor::Storage::fp64;
    const double floor = 2 * static_cast<double>(on_gpu.entries()) * (fp64 ? 8 : 4) / bandwidth_;
    report_.text += fmt::format("| {} | {} | {:.2f} | {:.1f} ({:.0f} %) | {:.1f} | {:.2f} | {:.0f} |\n",
                                fp64 ? "fp64" : "fp32", matrix.size, static_cast<double>(on_gpu.entries()) * 1e-6,
                                time.median, 100 * time.spread, floor, time.median / floor, processor.median);
    const double off = distance(found, expected);
    require(off <= 1e-12, fmt::format("the solve with {} rows is off by {:.1e}", matrix.size, off));
  }

  void compare(const std::string& name, const model::Model& model, int modes, emit::Precision products) {
    solve::Objective on_cpu(model, engine_, factor::Storage::fp32, modes),
        on_gpu(model, engine_, factor::Storage::fp32, modes);
    on_gpu.use(gpu_);
    on_gpu.gpu()->set_product_precision(products);
    const solve::StepSettings settings{1e-11};
    adjoint::AdjointSettings of_adjoint{.tolerance = 1e-11, .rest_shape = true, .motions = true};
    try {
      on_cpu.require_rest_gradient();
    } catch (const Error&) {
      of_adjoint.rest_shape = false;
    }
    const auto start = solve::initial_state(model);
    const adjoint::CentreTarget loss(model.steps, {1, 0.5, 0.25}, adjoint::mass_weights(on_cpu.mass()));
    const auto gradient = [&](const solve::Objective& objective) {
      return adjoint::rollout_gradient(objective, model, settings, of_adjoint, loss, start);
    };
    const auto end = [&](const solve::Objective& objective) {
      return solve::simulate(objective, model, settings, start).back();
    };
    const auto there = end(on_gpu), here = end(on_cpu);
    const double positions = distance(there.positions, here.positions);
    const double histories = here.history.empty() ? 0 : distance(there.history, here.history);
    const adjoint::Gradient there_by = gradient(on_gpu), here_by = gradient(on_cpu);
    const double by_velocities = distance(there_by.velocities, here_by.velocities);
    const adjoint::PartError worst = adjoint::largest_difference(model, there_by, here_by);
    report_.text += fmt::format("| {} | {} | {:.1e} | {} | {:.1e} | {:.1e}{} |\n", name, model.mesh.nodes.size(),
                                positions, here.history.empty() ? "-" : fmt::format("{:.1e}", histories), by_velocities,
                                worst.relative, worst.part.empty() ? "" : " by " + worst.part);
    // Of a part of the gradient whose terms nearly cancel some digits are lost.
    require(positions <= 1e-9 && histories <= 1e-9 && by_velocities <= 1e-9 && worst.relative <= 1e-7,
            name + " differs from the CPU");
  }

  device::CudaEngine& gpu_;
  jit::Engine& engine_;
  double bandwidth_;
  std::shared_ptr<device::CudaAlgebra> algebra_;
  RuntimeReport report_;
};

}  // namespace

RuntimeReport check_runtime(device::CudaEngine& gpu, jit::Engine& engine, double bandwidth, const RuntimeSizes& sizes) {
  Check check(gpu, engine, bandwidth);
  if (!sizes.grids.empty()) check.solves(sizes.grids);
  if (!sizes.scenes.empty()) check.scenes(sizes.scenes);
  return check.report();
}

}  // namespace proxima::gpu
