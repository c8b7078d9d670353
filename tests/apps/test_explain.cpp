// proxima explain and proxima emit: what the passes did, and kernels as code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/scene_folder.hpp"

namespace proxima::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Explain : public SceneFolder {
 protected:
  // A fibre that only pulls, on line 7.
  void write_fibre() const {
    write_file(folder / "fibre.cpp", R"(#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_ENERGY(fibre) {
  auto F = deformation_gradient();
  auto length = norm(F.column(0));
  auto taut = select(length > 1, square(log(length)), 0);
  return 3e4 * taut + 1e4 * squared_norm(transpose(F) * F - identity());
}
PROXIMA_ENERGY(plain) {
  auto F = deformation_gradient();
  return 1e4 * squared_norm(transpose(F) * F - identity());
}
)");
  }
};

TEST_F(Explain, ShowsThePassesOfEveryKernel) {
  const Result result = proxima({"explain", "bar.cpp"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("neo_hookean"), HasSubstr("0 < E"), HasSubstr("one tetrahedron"), HasSubstr("derived"),
                    HasSubstr("lowered"), HasSubstr("alive"), HasSubstr("Hessian-vector product"),
                    HasSubstr("pull-back to the rest shape"), HasSubstr("as it was traced has 49")));
}

TEST_F(Explain, SaysWhatCameFromTheCache) {
  ::setenv("PROXIMA_CACHE", (folder / "cache").c_str(), 1);
  const Result first = proxima({"explain", "bar.cpp"}), second = proxima({"explain", "bar.cpp"});
  ::unsetenv("PROXIMA_CACHE");
  EXPECT_THAT(first.out,
              AllOf(HasSubstr("compiled and traced in"), HasSubstr("   compiled, "), Not(HasSubstr("cache"))));
  EXPECT_THAT(second.out,
              AllOf(HasSubstr("taken from the cache in"), HasSubstr("from the cache, "), Not(HasSubstr("compiled, "))));
}

TEST_F(Explain, NamesWhatIsGuardedAndWhy) {
  write_fibre();
  const Result result = proxima({"explain", "fibre.cpp"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("energy fibre"), HasSubstr("energy plain"),
                                HasSubstr("because of less at fibre.cpp:7"), HasSubstr("1 written by you, 0 added")));
  const Result plain = proxima({"explain", "fibre.cpp", "--energy", "plain"});
  EXPECT_THAT(plain.out, Not(HasSubstr("energy fibre")));
}

TEST_F(Explain, EmitPrintsAKernel) {
  const Result result = proxima({"emit", "bar.cpp", "--kernel", "stress", "--target", "llvm"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("define void @proxima_kernel"), HasSubstr("x double>"),
                                HasSubstr("Sleef_log"), HasSubstr("%strain.4"), HasSubstr("%nu")));
  const Result single =
      proxima({"emit", "bar.cpp", "--kernel", "forces", "--target", "llvm", "--precision", "fp32", "-o", "kernel.ll"});
  EXPECT_EQ(single.status, 0) << single.err;
  EXPECT_EQ(single.out, "");
  EXPECT_THAT(read_file(folder / "kernel.ll"), AllOf(HasSubstr("x float>"), Not(HasSubstr("x double>"))));
}

// C that a compiler takes, with the author's names.
TEST_F(Explain, EmitPrintsC) {
  const Result result = proxima({"emit", "bar.cpp", "--kernel", "stress", "--target", "c", "-o", "stress.c"});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::string text = read_file(folder / "stress.c");
  EXPECT_THAT(text, AllOf(HasSubstr("double E, double nu"), HasSubstr("log("), HasSubstr("// bar.cpp:13")));
  EXPECT_EQ(proxima({"emit", "bar.cpp", "--kernel", "stress"}).out,
            text);  // C is what is printed unless asked otherwise
  const std::string compile =
      "cc -std=c99 -Wall -Werror -c -o " + (folder / "stress.o").string() + " " + (folder / "stress.c").string();
  EXPECT_EQ(std::system(compile.c_str()), 0);
}

TEST_F(Explain, EmitPrintsCuda) {
  const Result result = proxima({"emit", "bar.cpp", "--kernel", "forces", "--target", "cuda", "--precision", "fp32"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("__global__ void __launch_bounds__(128) neo_hookean_forces("),
                                HasSubstr("float *__restrict__ forces"), HasSubstr("logf(")));
}

TEST_F(Explain, WithoutNvrtcOneLineSaysSo) {
  ::setenv("PROXIMA_NVRTC", "/nowhere/libnvrtc.so", 1);
  for (const auto& arguments : {std::vector<std::string>{"compile", "bar.cpp", "--arch", "sm_90", "-o", "code"},
                                std::vector<std::string>{"explain", "bar.cpp", "--target", "cuda"}}) {
    const Result result = proxima(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("NVRTC, which is not to be found"), HasSubstr("/nowhere/libnvrtc.so")));
  }
  ::unsetenv("PROXIMA_NVRTC");
  EXPECT_FALSE(std::filesystem::exists(folder / "code"));
}

TEST_F(Explain, CompileWritesCodeAndATable) {
  const std::vector<std::string> arguments = {"compile", "bar.cpp", "--arch", "sm_90,compute_80", "-o", "code"};
  const Result result = proxima(arguments);
  if (result.err.find("not to be found") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");  // no spill
  EXPECT_TRUE(read_file(folder / "code/neo_hookean.forces.fp64.sm_90.cubin")
                  .starts_with("\x7f"
                               "ELF"));
  EXPECT_THAT(read_file(folder / "code/neo_hookean.forces.fp64.compute_80.ptx"), HasSubstr(".target sm_80"));
  EXPECT_THAT(read_file(folder / "code/kernels.csv"),
              AllOf(HasSubstr("neo_hookean,hessian_vector,sm_90,neo_hookean_hessian_vector,"),
                    HasSubstr("neo_hookean.forces.fp64.sm_90.cubin")));
  EXPECT_THAT(proxima(arguments).out, HasSubstr("from the cache"));
  const Result explained = proxima({"explain", "bar.cpp", "--target", "cuda"});
  EXPECT_EQ(explained.status, 0) << explained.err;
  EXPECT_THAT(explained.out, AllOf(HasSubstr("registers"), HasSubstr("local bytes"), HasSubstr("from the cache")));
  const Result unknown = proxima({"compile", "bar.cpp", "--arch", "sm_90,sm_91"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("\"sm_91\""), HasSubstr("sm_100")));
}

TEST_F(Explain, EmitRefusesWhatItDoesNotKnow) {
  const Result slip = proxima({"emit", "bar.cpp", "--kernel", "hesian_vector"});
  EXPECT_EQ(slip.status, 2);
  EXPECT_THAT(slip.err, AllOf(HasSubstr("did you mean \"hessian_vector\"?"), HasSubstr("pull_back")));
  EXPECT_EQ(proxima({"emit", "bar.cpp"}).status, 2);
  EXPECT_EQ(proxima({"emit", "bar.cpp", "--kernel", "stress", "--target", "fortran"}).status, 2);
  EXPECT_EQ(proxima({"emit", "bar.cpp", "--kernel", "stress", "-o", "nowhere/kernel.ll"}).status, 2);
  write_fibre();
  const Result several = proxima({"emit", "fibre.cpp", "--kernel", "stress"});
  EXPECT_EQ(several.status, 2);
  EXPECT_THAT(several.err, HasSubstr("fibre, plain"));
}

}  // namespace
}  // namespace proxima::test
