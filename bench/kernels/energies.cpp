// Nanoseconds an element for the generated kernels of six shipped energies, on one thread and on two, 196 608
// tetrahedra, fp64. Rows are energy/kernel/threads. The hand-written rival of the first is in bench_kernels.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <map>

#include "bench/kernels/grid.hpp"
#include "compiler/derive/derive.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/device/launch.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::bench {
namespace {

using derive::Quantity;
using device::AlignedVector;
using device::Tiling;

constexpr const char* materials[] = {"neo_hookean", "mooney_rivlin", "corotated",
                                     "arap",        "hencky",        "holzapfel_gasser_ogden"};
struct Row {
  const char* name;
  Quantity quantity;
};
constexpr Row kernels[] = {{"energy", Quantity::energy},
                           {"forces", Quantity::forces},
                           {"hessian_vector", Quantity::hessian_vector},
                           {"hessian_vector_clamped", Quantity::hessian_vector_clamped},
                           {"pull_back", Quantity::pull_back}};

// A kernel bound to the grid, with the energy's default parameters and directions.
class Bound {
 public:
  Bound(const ir::Energy& energy, Quantity quantity, jit::Engine& engine)
      : kernel_(engine.compile(
            derive::element_kernel(energy, quantity, {4, 3}, std::vector<bool>(energy.parameters.size())))),
        tiling_(Tiling::make(grid().nodes, 4, engine.target().lanes(jit::Precision::fp64))) {
    for (const ir::Field& field : kernel_->inputs) inputs_.push_back(values_of(field, energy));
    for (const ir::Field& field : kernel_->outputs)
      outputs_.emplace_back(tiling_.scalars(static_cast<int>(field.components)));
    for (const auto& values : inputs_) input_pointers_.push_back(values.data());
    for (auto& values : outputs_) output_pointers_.push_back(values.data());
  }

  void run() { device::launch(*kernel_, tiling_, input_pointers_, output_pointers_); }

 private:
  AlignedVector<double> values_of(const ir::Field& field, const ir::Energy& energy) const {
    const auto plain = [](const std::vector<double>& x) { return AlignedVector<double>(x.begin(), x.end()); };
    if (field.name == "positions") return plain(grid().positions);
    if (field.name == "direction") return plain(grid().direction);
    if (field.name == "gradients") return tiling_.field(grid().gradients, 9);
    if (field.name == "volume") return tiling_.field(grid().volume, 1);
    for (const ir::Parameter& parameter : energy.parameters)
      if (field.name == derive::field_name(parameter)) return {parameter.default_value};
    for (const ir::Input& input : energy.inputs)
      if (field.name == derive::field_name(input)) return repeated(input.initial);
    throw std::logic_error("no values for field " + field.name);
  }
  AlignedVector<double> repeated(const std::vector<double>& values) const {
    std::vector<double> all;
    for (std::size_t e = 0; e < grid().elements(); ++e) all.insert(all.end(), values.begin(), values.end());
    return tiling_.field(all, static_cast<int>(values.size()));
  }

  std::shared_ptr<const jit::CompiledKernel> kernel_;
  Tiling tiling_;
  std::vector<AlignedVector<double>> inputs_, outputs_;
  std::vector<const void*> input_pointers_;
  std::vector<void*> output_pointers_;
};

void time(const std::string& name, int threads, const std::function<void()>& action) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [action, threads](benchmark::State& state) {
        device::set_threads(threads);
        for (auto _ : state) action();
        const auto elements = static_cast<double>(grid().elements());
        state.counters["per_element"] =
            benchmark::Counter(elements, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
      })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void register_all(jit::Engine& engine) {
  for (const char* material : materials) {
    const ir::Energy energy = engine.load_energy(fmt::format("{}/{}.cpp", PROXIMA_EXAMPLES, material));
    for (const auto& [name, quantity] : kernels) {
      const auto bound = std::make_shared<Bound>(energy, quantity, engine);
      for (const int threads : {1, 2})
        time(fmt::format("{}/{}/{}", material, name, threads), threads, [=] { bound->run(); });
    }
  }
}

}  // namespace
}  // namespace proxima::bench

int main(int argc, char** argv) {
  proxima::jit::Engine engine;
  proxima::bench::register_all(engine);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
