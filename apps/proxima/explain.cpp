// What the compiler makes of a material file, pass by pass: parameters, operations of every kernel after each pass,
// what was guarded, and whether the result was compiled or taken from the cache.
#include <fmt/format.h>

#include <chrono>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/cuda_table.hpp"
#include "compiler/check/kernel_list.hpp"
#include "compiler/check/passes.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/model/model.hpp"

namespace proxima::app {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void print_parameters(const ir::Energy& energy) {
  if (energy.parameters.empty()) return;
  fmt::print("\n{:<16} {:<10} {:>12}   {}\n", "parameter", "unit", "default", "allowed");
  for (const auto& parameter : energy.parameters)
    fmt::print("{:<16} {:<10} {:>12g}   {}\n", parameter.name, parameter.unit.empty() ? "-" : parameter.unit,
               parameter.default_value, model::interval_text(parameter));
}

struct Made {
  check::NamedKernel kernel;
  check::Passes passes;
  double build_ms = 0;
  bool cached = false;
};

std::vector<Made> make_kernels(const ir::Energy& energy, jit::Engine& engine) {
  std::vector<Made> all;
  for (check::NamedKernel& kernel : check::run_kernels(energy)) {
    Made made;
    made.kernel = std::move(kernel);
    made.passes = check::passes_of(made.kernel.kernel, jit::Precision::fp64, engine.target());
    const auto before = engine.statistics();
    const auto start = Clock::now();
    engine.compile(made.kernel.kernel);
    made.build_ms = milliseconds_since(start);
    made.cached = engine.statistics().compiled == before.compiled;
    all.push_back(std::move(made));
  }
  return all;
}

void print_passes(const ir::Energy& energy, const std::vector<Made>& kernels) {
  const auto traced = ir::count_operations(energy.graph, {&energy.density, 1}).operations;
  fmt::print("\noperations for one {} after each pass; the energy as it was traced has {}\n\n",
             check::name_of(check::shape_of(energy)), traced);
  fmt::print("{:<38} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}   {}\n", "kernel", "derived", "lowered", "a launch",
             "each", "cost", "alive", "of", "machine code");
  for (const Made& made : kernels) {
    const check::Passes& passes = made.passes;
    fmt::print("{:<38} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}   {} {:.1f} ms\n", made.kernel.title, passes.derived,
               passes.lowered, passes.once, passes.each, passes.cost, passes.alive, passes.registers,
               made.cached ? "from the cache," : "compiled,", made.build_ms);
  }
  fmt::print(
      "\nderived: differentiated; lowered: decompositions and projections as arithmetic and loops, of which one trip "
      "is\n"
      "counted; a launch: of these, once for all elements; each: for each element; cost: of those, in additions;\n"
      "alive: values at the worst point, of so many vector registers (what is more spills).\n");
}

void print_guards(const std::vector<Made>& kernels) {
  bool any = false;
  for (const Made& made : kernels) {
    const check::Guards& guards = made.passes.guards;
    if (guards.written + guards.added == 0) continue;
    if (!any) fmt::print("\nchoices between two values\n");
    any = true;
    std::string causes;
    for (const std::string& cause : guards.causes) causes += (causes.empty() ? ", because of " : ", ") + cause;
    fmt::print("  {:<40} {} written by you, {} added{}\n", made.kernel.title, guards.written, guards.added, causes);
  }
  fmt::print(
      "{}",
      any ? "added: guards, so that a branch that is not taken cannot disturb a derivative; rules of kinks; filters\n"
          : "\nno choices between two values, nothing to guard\n");
}

}  // namespace

int explain(const ExplainOptions& options) {
  jit::Engine engine;
  const auto start = Clock::now();
  std::vector<ir::Energy> energies;
  if (options.energy.empty())
    energies = engine.load_energies(options.material);
  else
    energies.push_back(engine.load_energy(options.material, options.energy));
  const double load_ms = milliseconds_since(start);
  fmt::print("{}: {} in {:.1f} ms\n", options.material.string(),
             engine.statistics().energies_compiled > 0 ? "compiled and traced" : "traced energies taken from the cache",
             load_ms);
  for (const ir::Energy& energy : energies) {
    fmt::print("\nenergy {}\n", energy.name);
    print_parameters(energy);
    if (options.target == "cuda") {
      print_cuda_table(cuda_kernels(energy, emit::Precision::fp64, options.architectures));
      continue;
    }
    const auto kernels = make_kernels(energy, engine);
    print_passes(energy, kernels);
    print_guards(kernels);
  }
  return 0;
}

}  // namespace proxima::app
