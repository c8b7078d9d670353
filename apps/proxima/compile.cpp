// All kernels of a material ahead of time, as files of machine code for GPUs and a table of what they take.
#include <fmt/format.h>

#include "apps/proxima/commands.hpp"
#include "apps/proxima/cuda_table.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

std::string file_name(const CudaKernel& kernel) {
  return fmt::format("{}.{}.{}.{}.{}", kernel.energy, kernel.name,
                     kernel.precision == emit::Precision::fp64 ? "fp64" : "fp32", kernel.architecture,
                     kernel.architecture.starts_with("compute_") ? "ptx" : "cubin");
}

void write_files(const std::filesystem::path& folder, const std::vector<CudaKernel>& kernels) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail("{}: the folder cannot be made: {}", folder.string(), error.message());
  std::string table =
      "energy,kernel,architecture,symbol,registers,local_bytes,spill_stores,spill_loads,compile_ms,file\n";
  for (const CudaKernel& kernel : kernels) {
    const jit::CudaCode& code = kernel.code;
    write_file(folder / file_name(kernel), code.image);
    table += fmt::format("{},{},{},{},{},{},{},{},{:.1f},{}\n", kernel.energy, kernel.name, kernel.architecture,
                         code.symbol, code.usage.registers, code.usage.stack_bytes, code.usage.spill_stores,
                         code.usage.spill_loads, code.compile_ms, file_name(kernel));
  }
  write_file(folder / "kernels.csv", table);
}

}  // namespace

int compile(const CompileOptions& options) {
  jit::Engine engine;
  std::vector<ir::Energy> energies;
  if (options.energy.empty())
    energies = engine.load_energies(options.material);
  else
    energies.push_back(engine.load_energy(options.material, options.energy));
  const auto precision = options.precision == "fp64" ? emit::Precision::fp64 : emit::Precision::fp32;
  std::vector<CudaKernel> all;
  for (const ir::Energy& energy : energies) {
    auto kernels = cuda_kernels(energy, precision, options.architectures);
    fmt::print("energy {}\n", energy.name);
    print_cuda_table(kernels);
    for (CudaKernel& kernel : kernels) all.push_back(std::move(kernel));
  }
  if (!options.output.empty()) write_files(options.output, all);
  return 0;
}

}  // namespace proxima::app
