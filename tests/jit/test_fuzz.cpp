// Random formulas over all operators: vector kernels of every target and precision, and the C that is printed for one
// element at a time, against the interpreter. PROXIMA_FUZZ_FORMULAS says how many (a thousand by default),
// PROXIMA_FUZZ_SEED where to begin.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "compiler/emit/c/print.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/jit/c_library.hpp"
#include "tests/jit/random_kernel.hpp"
#include "tests/jit/rounding_spread.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using testing::Batch;

constexpr int formulas_in_a_kernel = 25;  // compiling one large kernel is faster than many small ones
constexpr std::size_t elements = 19;

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

// What the interpreter says about a kernel on a batch, and how much roundings can change it.
struct Expected {
  Expected(const ir::Kernel& kernel, const Batch& batch, Precision precision) {
    ir::Interpreter<double> interpreter(kernel.graph, kernel.results);
    for (std::size_t e = 0; e < batch.elements; ++e) {
      inputs.push_back(testing::inputs_of(kernel, batch, e, precision));
      const auto results = interpreter(inputs.back());
      values.emplace_back(results.begin(), results.end());
      spread.push_back(testing::rounding_spread(kernel, inputs.back(), precision));
    }
  }
  std::vector<std::vector<double>> inputs, values, spread;  // by element
};

struct Count {
  long compared = 0, skipped = 0;
};

// `found` as result k of element e; the formula is printed when it is wrong.
void compare(const ir::Kernel& kernel, const Expected& expected, std::size_t e, std::size_t k, double found,
             Precision precision, const std::string& what, Count& count) {
  const double right = expected.values[e][k], spread = expected.spread[e][k];
  const double epsilon = precision == Precision::fp64 ? 0x1p-52 : 0x1p-23;
  const double range =
      precision == Precision::fp64 ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
  const double smallest =
      precision == Precision::fp64 ? std::numeric_limits<double>::min() : double{std::numeric_limits<float>::min()};
  if (!std::isfinite(spread) || (std::isfinite(right) && std::fabs(right) > range)) {
    ++count.skipped;
    return;
  }
  ++count.compared;
  if (std::isnan(right) ? std::isnan(found) : found == right) return;
  if (std::fabs(found - right) <= 16 * spread + 8 * epsilon * std::fabs(right) + smallest) return;
  ir::Kernel one = kernel;
  one.outputs = {{"y", ir::Access::element, 1}};
  one.results = {kernel.results[k]};
  std::string inputs;
  for (const double input : expected.inputs[e]) inputs += fmt::format(" {}", input);
  FAIL() << kernel.name << ", formula " << k << ", " << what << ": " << found << ", the interpreter's " << right
         << ", roundings change it by " << spread << "\ninputs" << inputs << "\n"
         << emit::kernel_as_c(one, precision);
}

void check(unsigned seed, bool as_c, Count& count) {
  const ir::Kernel kernel = testing::random_kernel(seed, formulas_in_a_kernel);
  const Batch batch = testing::random_batch(kernel, elements, 11, -2, 2);
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const std::string digits = precision == Precision::fp64 ? "fp64" : "fp32";
    const Expected expected(kernel, batch, precision);
    for (const Target& target : {Target::avx512(), Target::avx2(), Target::portable()}) {
      if (!target.runs_here()) continue;
      const testing::TemporaryFolder folder;
      const auto found = testing::run(*Engine(folder.path(), target).compile(kernel, precision), batch)[0];
      for (std::size_t e = 0; e < elements; ++e)
        for (std::size_t k = 0; k < kernel.results.size(); ++k)
          compare(kernel, expected, e, k, found[e * kernel.results.size() + k], precision, target.cpu + " " + digits,
                  count);
    }
    if (!as_c) continue;
    const testing::CLibrary library(kernel, precision);
    for (std::size_t e = 0; e < elements; ++e) {
      const auto found = library(expected.inputs[e]);
      for (std::size_t k = 0; k < kernel.results.size(); ++k)
        compare(kernel, expected, e, k, found[k], precision, "C " + digits, count);
    }
  }
}

// In quarters, so that they can run at once.
class Fuzz : public ::testing::TestWithParam<int> {};

TEST_P(Fuzz, RandomFormulasEqualTheInterpreter) {
  const int kernels = number_from("PROXIMA_FUZZ_FORMULAS", 1000) / formulas_in_a_kernel;
  const int first = number_from("PROXIMA_FUZZ_SEED", 1);
  Count count;
  for (int k = GetParam(); k < kernels && !HasFatalFailure(); k += 4)
    check(static_cast<unsigned>(first + k), k / 4 % 5 == 0, count);
  std::cout << count.compared << " results compared, " << count.skipped << " beyond what roundings leave of them\n";
  EXPECT_GT(count.compared, 9 * count.skipped);
}

INSTANTIATE_TEST_SUITE_P(Quarters, Fuzz, ::testing::Range(0, 4),
                         [](const auto& which) { return "quarter" + std::to_string(which.param + 1); });

}  // namespace
}  // namespace proxima::jit
