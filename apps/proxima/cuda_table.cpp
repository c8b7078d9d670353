#include "apps/proxima/cuda_table.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "compiler/check/kernel_list.hpp"
#include "compiler/jit/cuda_store.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::app {

std::vector<CudaKernel> cuda_kernels(const ir::Energy& energy, emit::Precision precision,
                                     const std::vector<std::string>& architectures) {
  const jit::CudaStore store(jit::Engine::default_cache());
  for (const std::string& architecture : architectures) store.nvrtc().require(architecture);
  auto named = check::run_kernels(energy);
  for (auto& kernel : check::strain_kernels(energy)) named.push_back(std::move(kernel));
  std::vector<CudaKernel> all(named.size() * architectures.size());
  device::parallel_chunks(all.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto& kernel = named[k / architectures.size()];
      const std::string& architecture = architectures[k % architectures.size()];
      all[k] = {kernel.name, energy.name, architecture, precision, store.get(kernel.kernel, precision, architecture)};
    }
  });
  return all;
}

void print_cuda_table(const std::vector<CudaKernel>& kernels) {
  fmt::print("\n{:<28} {:<12} {:>9} {:>11} {:>13} {:>12}\n", "kernel", "for", "registers", "local bytes",
             "spilled bytes", "compiled, ms");
  for (const CudaKernel& kernel : kernels) {
    const jit::CudaUsage& usage = kernel.code.usage;
    if (kernel.architecture.starts_with("compute_"))
      fmt::print("{:<28} {:<12} {:>9} {:>11} {:>13} {:>12.0f}{}\n", kernel.name, kernel.architecture, "-", "-", "-",
                 kernel.code.compile_ms, kernel.code.from_cache ? ", from the cache" : "");
    else
      fmt::print("{:<28} {:<12} {:>9} {:>11} {:>13} {:>12.0f}{}\n", kernel.name, kernel.architecture, usage.registers,
                 usage.stack_bytes, usage.spill_stores + usage.spill_loads, kernel.code.compile_ms,
                 kernel.code.from_cache ? ", from the cache" : "");
  }
  std::fflush(stdout);
  for (const CudaKernel& kernel : kernels)
    if (kernel.code.usage.spills())
      fmt::print(stderr,
                 "proxima: warning: the kernel {} of energy '{}' needs more than the {} registers that a thread has on "
                 "{}: it writes {} and reads {} bytes of memory besides\n",
                 kernel.name, kernel.energy, kernel.code.usage.registers, kernel.architecture,
                 kernel.code.usage.spill_stores, kernel.code.usage.spill_loads);
}

}  // namespace proxima::app
