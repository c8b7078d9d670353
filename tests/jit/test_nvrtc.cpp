// CUDA kernels as machine code for three architectures: what they take, what goes wrong, and the cache. No GPU is
// needed; where there is no NVRTC, the tests that need it say so and are skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "compiler/derive/derive.hpp"
#include "compiler/jit/cuda_store.hpp"
#include "compiler/jit/nvrtc.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "tests/derive/states.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using derive::Quantity;
using ::testing::AllOf;
using ::testing::HasSubstr;

// What a failing call says.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

class WithoutNvrtc : public ::testing::Test {
 protected:
  ~WithoutNvrtc() override { ::unsetenv("PROXIMA_NVRTC"); }
};

TEST_F(WithoutNvrtc, OneLineSaysWhatIsMissing) {
  ::setenv("PROXIMA_NVRTC", "/nowhere/libnvrtc.so", 1);
  const std::string message = message_of([] { Nvrtc::load(); });
  EXPECT_THAT(message, AllOf(HasSubstr("NVRTC, which is not to be found"), HasSubstr("/nowhere/libnvrtc.so"),
                             HasSubstr("install the CUDA toolkit")));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST_F(WithoutNvrtc, AnotherLibraryIsNotTakenForIt) {
  ::setenv("PROXIMA_NVRTC", "libm.so.6", 1);
  EXPECT_THAT(message_of([] { Nvrtc::load(); }), HasSubstr("lacks the function nvrtcGetErrorString"));
}

TEST(NvrtcLog, GivesRegistersAndLocalMemory) {
  const std::string log =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'hencky_forces' for 'sm_90'\n"
      "ptxas info    : Function properties for hencky_forces\n"
      "ptxas         .     48 bytes stack frame, 40 bytes spill stores, 72 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 0 barriers, 64 bytes cumulative stack size\n"
      "ptxas info    : Function properties for __internal_trig_reduction_slowpathd\n"
      "ptxas         .     40 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Compile time = 304.109 ms\n";
  EXPECT_EQ(usage_of(log, "hencky_forces"), (CudaUsage{255, 64, 40, 72}));
  EXPECT_EQ(usage_of("", "hencky_forces"), CudaUsage{});
}

class WithNvrtc : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_ = Nvrtc::load();
    } catch (const Error& missing) {
      GTEST_SKIP() << missing.what();
    }
  }
  std::filesystem::path cache() const { return folder_.path() / "cache"; }
  std::filesystem::path entry() const {
    for (const auto& file : std::filesystem::directory_iterator(cache())) return file.path();
    throw std::logic_error("the cache is empty");
  }
  CudaCode compile(const std::string& architecture = "sm_90") const {
    return CudaStore(cache()).get(kernel_, Precision::fp64, architecture);
  }

  const ir::Kernel kernel_ = derive::strain_kernel(test::energy_named("neo_hookean"), Quantity::forces);
  testing::TemporaryFolder folder_;
  std::shared_ptr<const Nvrtc> nvrtc_;
};

TEST_F(WithNvrtc, GivesCubinsAndPtx) {
  const CudaCode cubin = compile(), ptx = compile("compute_80");
  // Not EXPECT_THAT, which would print the image.
  EXPECT_TRUE(
      cubin.image.starts_with("\x7f"
                              "ELF"));
  EXPECT_NE(cubin.image.find(cubin.symbol), std::string::npos);
  EXPECT_GT(cubin.usage.registers, 16);
  EXPECT_FALSE(cubin.usage.spills());
  EXPECT_NE(ptx.image.find(".target sm_80"), std::string::npos);
  EXPECT_NE(ptx.image.find(".entry " + ptx.symbol), std::string::npos);
}

TEST_F(WithNvrtc, AnUnknownArchitectureIsNamedAndThoseKnownAreListed) {
  for (const std::string name : {"sm_91", "sm_9", "hopper", "", "sm_90 --use_fast_math"})
    EXPECT_THAT(message_of([&] { compile(name); }), AllOf(HasSubstr("\"" + name + "\""), HasSubstr("sm_80"))) << name;
}

TEST_F(WithNvrtc, ADeviceNewerThanNvrtcGetsPtx) {
  EXPECT_EQ(nvrtc_->architecture_for(90), "sm_90");
  EXPECT_EQ(nvrtc_->architecture_for(999), "compute_" + std::to_string(nvrtc_->architectures().back()));
  EXPECT_THAT(message_of([&] { (void)nvrtc_->architecture_for(35); }), HasSubstr("capability 3.5 is too old"));
}

TEST_F(WithNvrtc, ARejectedTextIsShownWithTheKernelsName) {
  const auto compile_nonsense = [&] {
    (void)nvrtc_->compile("rubber.forces", "extern \"C\" __global__ void f() { nonsense; }", "f", "sm_90");
  };
  EXPECT_THAT(message_of(compile_nonsense), AllOf(HasSubstr("rubber.forces"), HasSubstr("sm_90"),
                                                  HasSubstr("f.cu(1): error"), HasSubstr("nonsense")));
}

TEST_F(WithNvrtc, ASecondCompilationComesFromTheCache) {
  const CudaCode first = compile(), second = compile();
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_TRUE(first.image == second.image);
  EXPECT_EQ(first.usage, second.usage);
  EXPECT_EQ(first.compile_ms, second.compile_ms);
  EXPECT_FALSE(compile("sm_80").from_cache);
  EXPECT_FALSE(CudaStore(cache()).get(kernel_, Precision::fp32, "sm_90").from_cache);
  EXPECT_TRUE(compile().from_cache);
}

TEST_F(WithNvrtc, DamagedEntriesAreMadeAnew) {
  const std::string image = compile().image, whole = read_file(entry());
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
  for (const std::string& damaged : {whole.substr(0, whole.size() / 2), flipped, std::string()}) {
    std::ofstream(entry(), std::ios::binary | std::ios::trunc) << damaged;
    const CudaCode again = compile();
    EXPECT_FALSE(again.from_cache);
    EXPECT_TRUE(again.image == image);
    EXPECT_EQ(read_file(entry()).size(), whole.size());
  }
}

TEST_F(WithNvrtc, ACacheThatCannotBeWrittenCostsTimeOnly) {
  std::ofstream(cache()) << "a file where the folder should be";
  EXPECT_FALSE(compile().image.empty());
  EXPECT_FALSE(compile().from_cache);
}

// What compiling in a process of its own ends with: 0 where `right` is what it got, in the way that is expected.
class Process {
 public:
  template <class F>
  explicit Process(F&& right) : child_(::fork()) {
    if (child_ != 0) return;
    int status = 2;
    try {
      status = right() ? 0 : 1;
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
    }
    ::_exit(status);
  }
  int wait() const {
    int status = -1;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }

 private:
  const pid_t child_;
};

TEST_F(WithNvrtc, AFolderThatCannotBeReadCostsTimeOnly) {
  const std::string image = compile().image;
  const std::filesystem::path file = entry();
  std::filesystem::permissions(cache(), std::filesystem::perms::none);
  const Process process([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return false;  // root may read everything
    if (std::ifstream(file).good()) return false;
    const CudaCode code = compile();
    return !code.from_cache && code.image == image;
  });
  const int status = process.wait();
  std::filesystem::permissions(cache(), std::filesystem::perms::owner_all);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(compile().from_cache);  // which was left as it was
}

TEST_F(WithNvrtc, ProcessesThatCompileOneKernelAtOnceAllGetIt) {
  const std::string image = CudaStore(folder_.path() / "other").get(kernel_, Precision::fp64, "sm_90").image;
  std::vector<Process> processes;
  for (int k = 0; k < 3; ++k) processes.emplace_back([&] { return compile().image == image; });
  for (const Process& process : processes) EXPECT_EQ(process.wait(), 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(cache()), {}), 1);  // no temporary is left
  EXPECT_TRUE(compile().from_cache);
}

TEST_F(WithNvrtc, ThreadsThatCompileOneKernelAtOnceAllGetIt) {
  std::vector<CudaCode> codes(4);
  std::vector<std::thread> threads;
  for (CudaCode& code : codes) threads.emplace_back([&] { code = compile(); });
  for (std::thread& thread : threads) thread.join();
  for (const CudaCode& code : codes) EXPECT_TRUE(code.image == codes[0].image);
  EXPECT_TRUE(compile().from_cache);
}

}  // namespace
}  // namespace proxima::jit
