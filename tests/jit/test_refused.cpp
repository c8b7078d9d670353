// The wrong programs of tests/dsl/wrong, as material files: refused by Clang in this process, or when they are traced,
// with the same words at the same lines as in tests/dsl. A missing return would otherwise be executed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "compiler/ir/expression.hpp"
#include "compiler/jit/jit.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

TEST(WrongMaterials, AreRefusedAtTheLineOfTheMistake) {
  const testing::TemporaryFolder cache;
  int tried = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PROXIMA_SOURCE_DIR "/tests/dsl/wrong")) {
    if (entry.path().extension() != ".cpp") continue;
    SCOPED_TRACE(entry.path());
    ++tried;
    const std::string text = read_file(entry.path());
    const std::size_t first = text.find(": ") + 2;  // after "// compile" or "// trace"
    const std::string words = text.substr(first, text.find('\n') - first);
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("// wrong")), '\n');
    try {
      Engine engine(cache.path());
      if (text.find("PROXIMA_FUNCTION(") != std::string::npos)
        engine.load_function(entry.path());
      else
        engine.load_energy(entry.path());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
      const std::string folder = entry.path().parent_path().filename();
      if (folder == "branching" || folder == "reassigned_input" || folder == "shapes_that_do_not_match") {
        EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("proxima-headers")));
      }
      EXPECT_THAT(error.what(), ::testing::HasSubstr(entry.path().string() + ":" + std::to_string(line) + ":"));
    }
  }
  EXPECT_GE(tried, 40);
}

// g++ would say nothing: the exponent is the number 0.
TEST(WrongMaterials, QuotientsOfWholeNumbersAreRefused) {
  const testing::TemporaryFolder folder;
  const auto error_of = [&](const std::string& exponent) {
    const auto file = folder.path() / "rubber.cpp";
    write_file(file,
               "#include <proxima/dsl.hpp>\nusing namespace proxima::dsl;\n\nPROXIMA_ENERGY(rubber) {\n"
               "  auto mu = parameter(\"mu\", pascal, 1e5);\n  auto F = deformation_gradient();\n  int count = 3;\n"
               "  return mu * (pow(det(F), " +
                   exponent + ") * squared_norm(F) + 0.0 * count);\n}\n");
    try {
      Engine(folder.path() / "cache").load_energy(file);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  EXPECT_THAT(
      error_of("-2/3"),
      AllOf(HasSubstr("rubber.cpp:8:30: error: '-2/3' divides whole numbers, which gives 0 in C++; write a decimal "
                      "point: '-2.0/3'"),
            HasSubstr("^")));
  EXPECT_THAT(error_of("(7) / -2"), HasSubstr("'7/-2' divides whole numbers, which gives -3"));
  for (const char* right : {"-2.0/3", "4/2", "-2/3.0", "0.5", "count/2"}) EXPECT_EQ(error_of(right), "") << right;
}

// 100 000 values that are all needed twice, far apart.
TEST(HugeKernels, ThatNoStackCanHoldAreRefused) {
  ir::Kernel kernel;
  kernel.name = "endless.stress";
  kernel.inputs = {{"x", ir::Access::element, 100000}};
  kernel.outputs = {{"y", ir::Access::element, 1}};
  const auto square = [&](std::uint32_t k) {
    const ir::Expression x{&kernel.graph, kernel.graph.input(k)};
    return x * x;
  };
  ir::Expression sum = square(0);
  for (std::uint32_t k = 1; k < 100000; ++k) sum = sum + square(k);
  ir::Expression product = sum;
  for (std::uint32_t k = 0; k < 100000; ++k) product = product * (square(k) + sum);
  kernel.results = {product.node};
  const testing::TemporaryFolder cache;
  try {
    Engine(cache.path()).compile(kernel);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("endless.stress"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("split the energy"));
  }
}

}  // namespace
}  // namespace proxima::jit
