// From a material file to kernels that can be called: energy, forces and Hessian-vector product, for a file edited
// before every iteration and for one that the cache knows. Every iteration has an engine of its own, so that nothing is
// kept in memory but LLVM's and Clang's static tables. And what a kernel costs by its length.
#include "compiler/emit/llvm/compile.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "compiler/derive/derive.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/support/file.hpp"
#include "tests/emit/large_kernel.hpp"

namespace proxima::bench {
namespace {

using derive::Quantity;

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  const std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("proxima-bench-{}", getpid());
};

void compile(const std::filesystem::path& file, const std::filesystem::path& cache) {
  jit::Engine engine(cache);
  const ir::Energy energy = engine.load_energy(file);
  const std::vector<bool> per_element(energy.parameters.size());
  for (const Quantity quantity : {Quantity::energy, Quantity::forces, Quantity::hessian_vector})
    benchmark::DoNotOptimize(
        engine.compile(derive::element_kernel(energy, quantity, derive::Shape{4, 3}, per_element))->function);
}

const std::string& material() {
  static const std::string text = read_file(PROXIMA_SOURCE_DIR "/dsl_examples/stable_neo_hookean.cpp");
  return text;
}

void edited(benchmark::State& state) {
  const Folder folder;
  const auto file = folder.path / "material.cpp";
  int edits = 0;
  for (auto _ : state) {
    state.PauseTiming();
    // Another factor each time, so that the kernels are new too.
    std::string text = material();
    text.replace(text.rfind("0.5"), 3, fmt::format("0.{}", 500 + ++edits));
    std::ofstream(file) << text;
    state.ResumeTiming();
    compile(file, folder.path / "cache");
  }
}
BENCHMARK(edited)->Unit(benchmark::kMillisecond)->UseRealTime();

void cached(benchmark::State& state) {
  const Folder folder;
  const auto file = folder.path / "material.cpp";
  std::ofstream(file) << material();
  compile(file, folder.path / "cache");
  for (auto _ : state) compile(file, folder.path / "cache");
}
BENCHMARK(cached)->Unit(benchmark::kMillisecond)->UseRealTime();

// One kernel of so many operations, without the cache.
void long_kernel(benchmark::State& state) {
  const ir::Kernel kernel = emit::testing::large_kernel(static_cast<int>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(emit::compile_kernel(kernel, emit::Precision::fp64, emit::Target::host()));
}
BENCHMARK(long_kernel)->Arg(1000)->Arg(5000)->Arg(20000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace proxima::bench

BENCHMARK_MAIN();
