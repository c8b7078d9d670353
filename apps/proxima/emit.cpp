// One kernel of a material as text, to read: C, CUDA or LLVM IR.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/proxima/commands.hpp"
#include "compiler/check/kernel_list.hpp"
#include "compiler/emit/c/print.hpp"
#include "compiler/emit/cuda/print.hpp"
#include "compiler/emit/llvm/compile.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::app {
namespace {

check::NamedKernel choose(const ir::Energy& energy, const std::string& name) {
  auto kernels = check::run_kernels(energy);
  for (auto& kernel : check::strain_kernels(energy)) kernels.push_back(std::move(kernel));
  std::vector<std::string> names;
  for (auto& kernel : kernels) {
    if (kernel.name == name) return std::move(kernel);
    names.push_back(kernel.name);
  }
  const std::string nearest = nearest_name(name, names);
  fail("energy '{}' has no kernel \"{}\"; it has {}{}", energy.name, name, fmt::join(names, ", "),
       nearest.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", nearest));
}

}  // namespace

int emit(const EmitOptions& options) {
  jit::Engine engine;
  const ir::Energy energy = engine.load_energy(options.material, options.energy);
  const check::NamedKernel chosen = choose(energy, options.kernel);
  const auto precision = options.precision == "fp64" ? emit::Precision::fp64 : emit::Precision::fp32;
  const std::string text = options.target == "cuda" ? emit::kernel_as_cuda(chosen.kernel, precision)
                           : options.target == "c"  ? emit::kernel_as_c(chosen.kernel, precision)
                                                    : emit::kernel_as_text(chosen.kernel, precision, engine.target());
  if (options.output.empty())
    fmt::print("{}", text);
  else
    write_file(options.output, text);
  return 0;
}

}  // namespace proxima::app
