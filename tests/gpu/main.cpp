// Checks and times the generated kernels on a GPU: the program behind ./dev gpu-check. Needs the driver and NVRTC; says
// that it was skipped where there is no GPU.
// Exit status: 0 all is right, or skipped; 1 a result is wrong; 2 something is missing.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "compiler/check/kernel_list.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/derive/states.hpp"
#include "tests/gpu/runtime_check.hpp"
#include "tests/gpu/state_check.hpp"
#include "tests/gpu/table.hpp"
#include "tests/gpu/timed_contact.hpp"
#include "tests/gpu/timed_steps.hpp"
#include "tests/gpu/timed_worlds.hpp"
#include "tests/jit/run_kernel.hpp"
#include "tests/solve/contrast.hpp"

namespace {

using namespace proxima;
using emit::Precision;

struct Options {
  std::vector<std::string> only;
  int cells = 56;
  gpu::RuntimeSizes runtime;
  std::vector<int> bars = {10, 23, 50}, blocks = {2, 4, 8};
  int twist = 30;
  gpu::WorldSizes worlds;
  std::string output;
};

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(": ") + 2));
  return "unknown processor";
}

std::vector<ir::Energy> chosen_energies(const std::vector<std::string>& only) {
  if (only.empty()) return test::energies();
  std::vector<ir::Energy> energies;
  energies.reserve(only.size());
  for (const std::string& name : only) energies.push_back(test::energy_named(name));
  return energies;
}

// How long NVRTC takes for all kernels of one energy, and the cache for the same.
std::string compile_times(const ir::Energy& energy, const jit::CudaStore& store, const std::string& architecture) {
  const auto kernels = check::element_kernels(energy);
  const auto seconds = [&] {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& named : kernels) (void)store.get(named.kernel, Precision::fp64, architecture);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double cold = seconds(), cached = seconds();
  return fmt::format("NVRTC, one thread: the {} kernels of {} {:.2f} s, {:.1f} ms from the cache\n", kernels.size(),
                     energy.name, cold, 1e3 * cached);
}

// Says it now, and keeps it for the file.
class Record {
 public:
  void add(const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
    text_ += text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Its mesh is not Proxima's to ship.
std::string twist(device::CudaEngine& gpu, jit::Engine& engine, int steps) {
  const auto file = bodies::armadillo_file();
  if (!file)
    return "\nThe twisted Armadillo was SKIPPED: armadillo_10k.node is absent; set PROXIMA_SHARED_DATA to its folder\n";
  const auto energy = std::make_shared<const ir::Energy>(test::energy_named("neo_hookean"));
  return gpu::time_twist(gpu, engine, *file, energy, steps);
}

int run(const Options& options) {
  std::shared_ptr<device::CudaDevice> device;
  try {
    device = device::CudaDevice::open();
  } catch (const Error& none) {
    fmt::print("gpu-check: SKIPPED, {}\n", none.what());
    return 0;
  }
  const jit::testing::TemporaryFolder folder;
  const jit::CudaStore store(folder.path() / "cache");
  const std::string architecture = store.nvrtc().architecture_for(device->capability());
  const auto energies = chosen_energies(options.only);
  const auto start = std::chrono::steady_clock::now();

  Record record;
  record.add(fmt::format("{}, {}, NVRTC {}; {}, {} threads, {}\n\n", device->name(), architecture,
                         store.nvrtc().version(), processor_name(), device::threads(), emit::Target::host().cpu));
  record.add(compile_times(energies.front(), store, architecture));
  std::size_t wrong = 0;
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const gpu::StateCheck states = gpu::check_states(device, store, energies, precision);
    record.add(
        fmt::format("{}: {} kernels of {} energies compiled and run in {:.0f} s: {} numbers, largest difference {:.1e} "
                    "of the largest entry ({} numbers are differences of larger ones, right within their roundings); "
                    "{} kernels are wrong\n",
                    precision == Precision::fp64 ? "fp64" : "fp32", states.kernels, energies.size(), states.seconds,
                    states.numbers, states.largest, states.cancelled, states.differences.size()));
    for (const std::string& line : states.differences) record.add(fmt::format("  WRONG: {}\n", line));
    wrong += states.differences.size();
  }

  const jit::DiskCache cache(folder.path() / "cache");
  jit::KernelStore processor(cache, emit::Target::host());
  const gpu::Timings timings = gpu::measure(device, store, processor, energies, options.cells);
  record.add(
      fmt::format("\n{} tetrahedra; a copy reads and writes {:.2f} TB/s; medians of 25 launches (CPU: 7)\n\n{}\n{}\n",
                  timings.elements, timings.bandwidth * 1e-6, gpu::table_of(timings), gpu::targets_of(timings)));
  for (const gpu::Measured& measured : timings.kernels) {
    if (measured.difference.empty()) continue;
    record.add(fmt::format("  WRONG: {}\n", measured.difference));
    ++wrong;
  }
  device::CudaEngine gpu_engine(folder.path() / "cache");
  jit::Engine engine(folder.path() / "cache");
  const gpu::RuntimeReport runtime = gpu::check_runtime(gpu_engine, engine, timings.bandwidth, options.runtime);
  record.add(runtime.text);
  if (!options.bars.empty()) record.add(gpu::time_bars(gpu_engine, engine, options.bars));
  if (!options.blocks.empty()) record.add(gpu::time_blocks(gpu_engine, engine, options.blocks));
  if (options.twist > 0) record.add(twist(gpu_engine, engine, options.twist));
  wrong += static_cast<std::size_t>(runtime.wrong);
  if (options.worlds.worlds > 0 || options.worlds.blocks > 0) {
    const gpu::RuntimeReport worlds = gpu::check_worlds(gpu_engine, engine, options.worlds);
    record.add(worlds.text);
    wrong += static_cast<std::size_t>(worlds.wrong);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  record.add(fmt::format("\ngpu-check: {} in {:.0f} s\n", wrong == 0 ? "all results are right" : "RESULTS ARE WRONG",
                         seconds));
  if (!options.output.empty()) write_file(options.output, record.text());
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("Checks and times kernels, solves and steps on a GPU.", "gpu_check");
  Options options;
  cli.add_option("--only", options.only, "Energies by name; without it all");
  cli.add_option("--cells", options.cells, "Kernels are timed on 6 CELLS^3 tetrahedra")->check(CLI::Range(1, 80));
  cli.add_option("--grids", options.runtime.grids, "Solves are timed with the matrix of N^3 cubes, N each of these");
  cli.add_option("--scenes", options.runtime.scenes, "Steps and gradients of these are compared with the CPU's")
      ->check(CLI::IsMember(options.runtime.scenes));
  cli.add_option("--bars", options.bars, "Steps are timed on bars of N cubes across, N each of these");
  cli.add_option("--blocks", options.blocks,
                 "Steps with contact are timed on blocks of 4 N cubes across, N each of these");
  cli.add_option("--twist", options.twist, "So many steps of the twisted Armadillo, 0: none")
      ->check(CLI::Range(0, 1000));
  cli.add_option("--worlds", options.worlds.worlds, "So many worlds side by side, 0: none")->check(CLI::Range(0, 4096));
  cli.add_option("--across", options.worlds.across, "Their body is a bar of N cubes across")->check(CLI::Range(2, 50));
  cli.add_option("--sliding", options.worlds.blocks, "So many worlds of a block that slides, 0: none")
      ->check(CLI::Range(0, 4096));
  cli.add_option("--sliding-refined", options.worlds.refined, "Their block has 16 N^2 cells below")
      ->check(CLI::Range(1, 16));
  cli.add_option("-o,--output", options.output, "Write what is printed to this file, too");
  CLI11_PARSE(cli, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpu-check: {}\n", error.what());
    return 2;
  }
}
