// A user's functions from a file to machine code: values and pull-backs beside the interpreter, pull-backs beside
// differences of the values, and what a file without one is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "compiler/derive/function_kernel.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using derive::FunctionQuantity;

constexpr const char* text = R"(#include <proxima/dsl.hpp>
using namespace proxima::dsl;

PROXIMA_FUNCTION(perceptron) {
  auto x = input<20>("x");
  auto W1 = weights<32, 20>("W1");
  auto b1 = weights<32>("b1", uniform(1));
  auto W2 = weights<8, 32>("W2");
  output("y", tanh(W2 * tanh(W1 * x + b1)));
}
PROXIMA_FUNCTION(branches) {
  auto x = input<3>("x");
  auto v = input("v");
  auto k = parameter("k", newton, 2).positive();
  output("load", select(v > 0, k * sqrt(v), square(v)) * dot(x, x));
  output("angle", atan2(x[1], x[0]) + max(v, k));
}
PROXIMA_ENERGY(spring) { return squared_norm(deformation_gradient() - identity()); }
)";

std::filesystem::path write(const testing::TemporaryFolder& folder) {
  const auto file = folder.path() / "functions.cpp";
  std::ofstream(file) << text;
  return file;
}

class Functions : public ::testing::TestWithParam<const char*> {
 protected:
  testing::TemporaryFolder folder_;
  Engine engine_{folder_.path() / "cache"};
};

TEST_P(Functions, AreCompiledAsTheInterpreterHasThem) {
  const ir::Function function = engine_.load_function(write(folder_), GetParam());
  for (const auto quantity : {FunctionQuantity::value, FunctionQuantity::pull_back}) {
    const ir::Kernel kernel = derive::function_kernel(function, quantity);
    expect_equals_interpreter(kernel, *engine_.compile(kernel), testing::random_batch(kernel, 1, 1, -0.3, 0.5),
                              kernel.name);
  }
}

// Central differences of sum of bars times outputs, in long double, along every input and parameter at once.
TEST_P(Functions, PullBacksAreTheDerivativesOfTheValues) {
  const ir::Function function = engine_.load_function(write(folder_), GetParam());
  const ir::Kernel value = derive::function_kernel(function, FunctionQuantity::value),
                   pull_back = derive::function_kernel(function, FunctionQuantity::pull_back);
  const auto batch = testing::random_batch(pull_back, 1, 1, -0.3, 0.5);
  std::vector<long double> all;
  for (const auto& field : batch.fields) all.insert(all.end(), field.begin(), field.end());
  std::size_t slots = 0;
  for (const auto& field : value.inputs) slots += field.components;
  const std::vector<long double> bars(all.begin() + static_cast<std::ptrdiff_t>(slots), all.end());
  const auto direction = [](std::size_t k) { return std::sin(1.0L + static_cast<long double>(k)); };

  const auto derivatives = ir::evaluate<long double>(pull_back.graph, pull_back.results, all);
  ASSERT_EQ(derivatives.size(), slots);
  long double expected = 0;
  for (std::size_t k = 0; k < slots; ++k) expected += derivatives[k] * direction(k);
  const auto along = [&](long double step) {
    std::vector<long double> moved(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(slots));
    for (std::size_t k = 0; k < slots; ++k) moved[k] += step * direction(k);
    const auto outputs = ir::evaluate<long double>(value.graph, value.results, moved);
    long double sum = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) sum += bars[k] * outputs[k];
    return sum;
  };
  std::vector<long double> errors;
  for (const long double step : {1e-3L, 1e-4L}) {
    errors.push_back(std::fabs(along(step) - along(0) - step * expected));
    EXPECT_NEAR(static_cast<double>((along(step) - along(-step)) / (2 * step)), static_cast<double>(expected),
                step * std::fabs(static_cast<double>(expected)));
  }
  EXPECT_GE(std::log10(errors[0] / errors[1]), 1.9L);
}

INSTANTIATE_TEST_SUITE_P(All, Functions, ::testing::Values("perceptron", "branches"),
                         [](const auto& one) { return std::string(one.param); });

TEST(FunctionFiles, AreCachedAndToldApartFromEnergies) {
  const testing::TemporaryFolder folder;
  const auto file = write(folder);
  for (const int compiled : {2, 0}) {
    Engine engine(folder.path() / "cache");
    ASSERT_EQ(engine.load_functions(file).size(), 2u);
    EXPECT_EQ(engine.load_energies(file).size(), 1u);
    EXPECT_EQ(engine.statistics().energies_compiled, compiled);
  }
  Engine engine(folder.path() / "cache");
  const auto error_of = [&](const auto& load) -> std::string {
    try {
      load();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of([&] { engine.load_function(file); }),
              ::testing::HasSubstr("defines the functions perceptron, branches; name the one to use"));
  EXPECT_THAT(error_of([&] { engine.load_function(file, "perceptrom"); }),
              ::testing::HasSubstr("defines no function \"perceptrom\"; it has perceptron, branches (did you mean"));
  const auto energy = folder.path() / "energy.cpp";
  std::ofstream(energy) << "#include <proxima/dsl.hpp>\nusing namespace proxima::dsl;\n"
                           "PROXIMA_ENERGY(spring) { return squared_norm(deformation_gradient()); }\n";
  EXPECT_THAT(
      error_of([&] { engine.load_function(energy); }),
      ::testing::HasSubstr("defines no function; write PROXIMA_FUNCTION(name) { ... }; it has the energy spring"));
}

}  // namespace
}  // namespace proxima::jit
