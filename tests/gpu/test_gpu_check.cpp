// ./dev gpu-check and its program where there is no GPU: with a stand-in for one, without, packed and unpacked.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "compiler/jit/nvrtc.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Outcome {
  int status = -1;
  std::string words;  // both streams
};

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen(fmt::format("{{ {}; }} 2>&1", command).c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  char buffer[4096];
  for (std::size_t count = 0; (count = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    outcome.words.append(buffer, count);
  const int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

constexpr const char* stand_in = "PROXIMA_CUDA_DRIVER=" PROXIMA_FAKE_CUDA " PROXIMA_NVRTC=" PROXIMA_FAKE_NVRTC;
constexpr const char* nothing = "PROXIMA_CUDA_DRIVER=/nowhere/libcuda.so.1";
constexpr const char* briefly =
    "--only stable_neo_hookean --cells 2 --grids 3 --scenes mixed hexahedra sheet_with_deflation slides --bars 2 "
    "--blocks 1 "
    "--worlds 3 --across 2 --sliding 3 --sliding-refined 1";

// By a box of 6 n^3 tets in its place: what it takes is the Armadillo's alone, how it goes is not.
void write_box(const std::filesystem::path& stem, int n) {
  std::string nodes = fmt::format("{} 3 0 0\n", (n + 1) * (n + 1) * (n + 1)),
              tets = fmt::format("{} 4 0\n", 6 * n * n * n);
  const auto number = [n](std::array<int, 3> at) { return (at[2] * (n + 1) + at[1]) * (n + 1) + at[0]; };
  int tet = 0;
  for (int z = 0; z <= n; ++z)
    for (int y = 0; y <= n; ++y)
      for (int x = 0; x <= n; ++x) {
        nodes += fmt::format("{} {} {} {}\n", number({x, y, z}), x, y, z);
        if (x == n || y == n || z == n) continue;
        std::array<std::size_t, 3> axes = {0, 1, 2};
        do {  // along the edges of the cube from one corner to the opposite one
          std::array<int, 3> corner = {x, y, z};
          tets += fmt::format("{} {}", tet++, number(corner));
          for (const std::size_t axis : axes) {
            ++corner[axis];
            tets += fmt::format(" {}", number(corner));
          }
          tets += "\n";
        } while (std::ranges::next_permutation(axes).found);
      }
  write_file(stem.string() + ".node", nodes);
  write_file(stem.string() + ".ele", tets);
}

TEST(GpuCheck, SaysThatItWasSkippedWhereThereIsNoGpu) {
  const Outcome program = run(fmt::format("{} {}", nothing, PROXIMA_GPU_CHECK));
  EXPECT_EQ(program.status, 0);
  EXPECT_EQ(program.words,
            "gpu-check: SKIPPED, no GPU can be used: there is no CUDA driver (/nowhere/libcuda.so.1 is not to be "
            "found)\n");
  const Outcome script = run(fmt::format("{} {}/dev gpu-check", nothing, PROXIMA_SOURCE_DIR));
  EXPECT_EQ(script.status, 0) << script.words;
  EXPECT_THAT(script.words, AllOf(HasSubstr("SKIPPED"), HasSubstr("NOTHING was checked")));
}

TEST(GpuCheck, WithoutNvrtcItSaysWhatIsMissing) {
  const Outcome program = run(fmt::format("{} PROXIMA_NVRTC=/nowhere/libnvrtc.so {}", stand_in, PROXIMA_GPU_CHECK));
  EXPECT_EQ(program.status, 2);
  EXPECT_THAT(program.words, HasSubstr("NVRTC, which is not to be found"));
}

TEST(GpuCheck, ComparesAndTimesKernels) {
  const jit::testing::TemporaryFolder folder;
  const std::string file = (folder.path() / "table.md").string();
  write_box(folder.path() / "armadillo_10k", 3);
  const Outcome program = run(fmt::format("PROXIMA_SHARED_DATA={} {} {} {} --twist 2 -o {}", folder.path().string(),
                                          stand_in, PROXIMA_GPU_CHECK, briefly, file));
  EXPECT_EQ(program.status, 0);
  EXPECT_THAT(
      program.words,
      AllOf(HasSubstr("Fake GPU, sm_90"), HasSubstr("fp64: 17 kernels of 1 energies"),
            HasSubstr("fp32: 17 kernels of 1 energies"), HasSubstr("48 tetrahedra"),
            HasSubstr("\n| stable_neo_hookean, hessian_vector | fp32 |"), HasSubstr("\n| polar rotation | fp64"),
            HasSubstr("\n| gather to nodes | fp64 |"), HasSubstr("gather to nodes: times that by hand | 1.15 |"),
            HasSubstr("stable_neo_hookean, forces: times that by hand | 1.15 |"), HasSubstr("\n| fp64 | 64 |"),
            HasSubstr("\n| mixed |"), HasSubstr("\n| hexahedra |"), HasSubstr("\n| sheet_with_deflation |"),
            HasSubstr("\n| 5 x 2 x 2 cubes |"), HasSubstr("162 tets, neo_hookean, 2 steps"),
            HasSubstr("\n| 225 | 25 |"), HasSubstr("\n| 3 of a bar of 120 tets"),
            HasSubstr("\n| 3 of a block of 75 nodes that slides"), HasSubstr("\n| the twist backward, s | 1 |"),
            HasSubstr("all results are right"), Not(HasSubstr("WRONG"))));
  EXPECT_EQ(run("cat " + file).words, program.words);
}

// The first number of two results is off by 1e-9. A rival that computes something else would be no rival.
TEST(GpuCheck, FindsWrongResults) {
  const Outcome program = run(fmt::format(
      "PROXIMA_SHARED_DATA=/nowhere {} PROXIMA_FAKE_FLAW='stable_neo_hookean_hessian_vector hand_written_polar' {} {}",
      stand_in, PROXIMA_GPU_CHECK, briefly));
  EXPECT_EQ(program.status, 1);
  EXPECT_THAT(program.words, AllOf(HasSubstr("WRONG: stable_neo_hookean.hessian_vector, forces[0] of element 0 is"),
                                   HasSubstr("the interpreter's"), HasSubstr("1 kernels are wrong"),
                                   HasSubstr("WRONG: stable_neo_hookean.hessian_vector, number 0 of forces is"),
                                   HasSubstr("the processor's"), HasSubstr("RESULTS ARE WRONG"),
                                   Not(HasSubstr("WRONG: stable_neo_hookean.forces"))));
  EXPECT_THAT(program.words,
              AllOf(HasSubstr("polar.rotation, number 0 of rotation is"), HasSubstr("by hand; generated"),
                    HasSubstr("The twisted Armadillo was SKIPPED: armadillo_10k.node is absent")));
}

// The stand-in for NVRTC knows nothing of a GPU's compiler, which is there without a GPU.
TEST(GpuCheck, HandWrittenKernelsCompileForAGpu) {
  std::shared_ptr<const jit::Nvrtc> nvrtc;
  try {
    nvrtc = jit::Nvrtc::load();
  } catch (const Error& missing) {
    GTEST_SKIP() << missing.what();
  }
  const std::string text = read_file(PROXIMA_SOURCE_DIR "/tests/gpu/hand_written.cu");
  for (const char* head : {"typedef double real;\n#define LOG log\n", "typedef float real;\n#define LOG logf\n"}) {
    const std::string log = nvrtc->compile("hand_written.cu", head + text, "", "sm_90").log;
    for (const char* symbol : {"hand_written_neo_hookean_hessian_vector", "hand_written_gather", "copy_pairs"}) {
      const jit::CudaUsage usage = jit::usage_of(log, symbol);
      EXPECT_GT(usage.registers, 0) << symbol;
      EXPECT_FALSE(usage.spills()) << symbol;
    }
  }
}

// As on a machine with a GPU that has neither Proxima's packages nor its sources but the script.
TEST(GpuCheck, ABundleHasAllThatTheProgramNeeds) {
  const jit::testing::TemporaryFolder folder;
  const std::string there = folder.path().string();
  const Outcome packed = run(fmt::format(
      "cd {0} && mkdir cmake build && cp {1}/dev . && cp {1}/cmake/gpu-check.sh {1}/cmake/packages.txt cmake && "
      "XZ_OPT='-0 -T0' PROXIMA_GPU_CHECK={2} ./dev gpu-check --bundle build/gpu-check.tar.xz",
      there, PROXIMA_SOURCE_DIR, PROXIMA_GPU_CHECK));
  ASSERT_EQ(packed.status, 0) << packed.words;
  const Outcome unpacked =
      run(fmt::format("cd {} && env -i PATH=$PATH {} ./dev gpu-check {} --twist 0", there, stand_in, briefly));
  EXPECT_EQ(unpacked.status, 0);
  EXPECT_THAT(unpacked.words, HasSubstr("all results are right"));
  // Only what every C++ program needs comes from the machine.
  const Outcome libraries =
      run(fmt::format("cd {} && tar -xf build/gpu-check.tar.xz && "
                      "LD_LIBRARY_PATH=$PWD/gpu-check/lib ldd gpu-check/gpu_check | grep '=>' | grep -v \"=> $PWD\"",
                      there));
  EXPECT_THAT(libraries.words, AllOf(HasSubstr("libc.so"), HasSubstr("libstdc++.so"), Not(HasSubstr("LLVM")),
                                     Not(HasSubstr("not found"))));
  EXPECT_LE(std::ranges::count(libraries.words, '\n'), 4) << libraries.words;
  const Outcome without = run(fmt::format("cd {} && rm -r build && {} ./dev gpu-check", there, stand_in));
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.words, AllOf(HasSubstr("nor a bundle"), HasSubstr("NOTHING was checked")));
}

}  // namespace
}  // namespace proxima::gpu
