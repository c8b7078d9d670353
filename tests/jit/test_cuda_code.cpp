// Every kernel of every shipped energy as machine code for three architectures: how many registers it takes, and that
// none spills but those that tests/jit/cuda_spills.txt names. Needs NVRTC, no GPU; skipped where there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "compiler/check/kernel_list.hpp"
#include "compiler/jit/cuda_store.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::jit {
namespace {

// ptxas of another version decides otherwise about registers.
constexpr const char* version_of_the_list = "13.0";

// The most registers that a kernel may take, in double precision; 255 is what a thread can have.
int register_bound(const std::string& kernel) {
  static const std::map<std::string, int> bounds = {
      {"energy", 192}, {"strain_energy", 192}, {"forces", 192},        {"stress", 192},
      {"state", 192},  {"energy_forces", 208}, {"stress_vector", 208}, {"hessian_vector", 224}};
  const auto bound = bounds.find(kernel);
  return bound == bounds.end() ? 255 : bound->second;
}

std::vector<check::NamedKernel> kernels_of_the_shipped_energies() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(PROXIMA_SOURCE_DIR "/dsl_examples"))
    if (file.path().extension() == ".cpp") files.push_back(file.path());
  std::ranges::sort(files);
  Engine engine;
  std::vector<check::NamedKernel> all;
  for (const auto& file : files)
    for (const ir::Energy& energy : engine.load_energies(file)) {
      for (auto& kernel : check::run_kernels(energy)) all.push_back(std::move(kernel));
      for (auto& kernel : check::strain_kernels(energy)) all.push_back(std::move(kernel));
    }
  return all;
}

// Lines "sm_90 diffpd.rest_pull_back".
std::set<std::string> known_spills() {
  std::ifstream file(PROXIMA_SOURCE_DIR "/tests/jit/cuda_spills.txt");
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') lines.insert(line);
  return lines;
}

class CudaCodeFor : public ::testing::TestWithParam<const char*> {};

// All kernels for sm_90; for the others every third, or all where PROXIMA_CUDA_ALL is set.
TEST_P(CudaCodeFor, EveryKernelCompilesWithinItsRegisters) {
  const std::string architecture = GetParam();
  std::unique_ptr<const CudaStore> store;
  try {
    store = std::make_unique<const CudaStore>(Engine::default_cache());
  } catch (const Error& missing) {
    GTEST_SKIP() << missing.what();
  }
  auto kernels = kernels_of_the_shipped_energies();
  ASSERT_GT(kernels.size(), 200u);
  const bool all = architecture == "sm_90" || std::getenv("PROXIMA_CUDA_ALL") != nullptr;
  for (std::size_t k = kernels.size(); k-- > 0 && !all;)
    if (k % 3 != 0) kernels.erase(kernels.begin() + static_cast<std::ptrdiff_t>(k));

  std::vector<CudaCode> codes(kernels.size());
  device::parallel_chunks(kernels.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      codes[k] = store->get(kernels[k].kernel, emit::Precision::fp64, architecture);
  });
  const std::set<std::string> known = known_spills();
  ASSERT_FALSE(known.empty());
  const bool comparable = store->nvrtc().version() == version_of_the_list;
  if (!comparable) std::cout << "the list of spills is that of NVRTC " << version_of_the_list << ": not compared\n";
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const CudaUsage& usage = codes[k].usage;
    const std::string line = architecture + " " + kernels[k].kernel.name;
    EXPECT_GT(usage.registers, 0) << line;
    EXPECT_FALSE(codes[k].image.empty()) << line;
    if (!comparable) continue;
    EXPECT_LE(usage.registers, register_bound(kernels[k].name)) << line;
    EXPECT_EQ(usage.spills(), known.contains(line))
        << line << " writes " << usage.spill_stores << " and reads " << usage.spill_loads
        << " bytes: tests/jit/cuda_spills.txt says otherwise";
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaCodeFor, ::testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& which) { return std::string(which.param); });

}  // namespace
}  // namespace proxima::jit
