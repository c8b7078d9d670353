// A function over many items beside the interpreter, one item at a time; pull-backs beside differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <proxima/dsl.hpp>

#include "compiler/dsl/trace.hpp"
#include "compiler/ir/interpreter.hpp"
#include "runtime/contact/batched_function.hpp"
#include "tests/contact/taylor.hpp"

namespace {
using namespace proxima::dsl;

PROXIMA_FUNCTION(test_two_inputs) {
  auto a = input<3>("a");
  auto s = input("s");
  auto k = parameter("k", newton, 2).positive();
  auto w = weights<2>("w", uniform(3));
  output("turned", cross(a, vector(s, w[0], k)));
  output("size", exp(s * w[1]) * squared_norm(a) + k * s);
}
}  // namespace

namespace proxima::contact {
namespace {

class Batched : public ::testing::TestWithParam<int> {
 protected:
  jit::Engine engine_;
  BatchedFunction function_{std::make_shared<const ir::Function>(dsl::find_function("test_two_inputs")), engine_};
  BatchedFunction::Parameters parameters_ = {{1.7}, {0.3, -0.8}};

  static std::vector<double> waves(std::size_t size, double phase) {
    std::vector<double> v(size);
    for (std::size_t i = 0; i < size; ++i) v[i] = std::sin(1.9 * static_cast<double>(i) + phase);
    return v;
  }
};

TEST_P(Batched, EveryItemIsAsTheInterpreterHasIt) {
  const auto items = static_cast<std::size_t>(GetParam());
  ASSERT_EQ(function_.inputs(), 4u);
  ASSERT_EQ(function_.outputs(), 4u);
  const auto inputs = waves(4 * items, 0.2);
  const auto outputs = function_.evaluate(inputs, parameters_);
  ASSERT_EQ(outputs.size(), 4 * items);
  for (std::size_t item = 0; item < items; ++item) {
    std::vector<double> slots(&inputs[4 * item], &inputs[4 * item] + 4);
    for (const auto& parameter : parameters_) slots.insert(slots.end(), parameter.begin(), parameter.end());
    const auto expected = ir::evaluate<double>(function_.function().graph, roots_of(function_.function()), slots);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(outputs[4 * item + k], expected[k], 1e-14);
  }
}

TEST_P(Batched, PullBacksAreTheDerivatives) {
  const auto items = static_cast<std::size_t>(GetParam());
  const auto inputs = waves(4 * items, 0.2), bars = waves(4 * items, 1.1), direction = waves(4 * items, 2.3);
  const BatchedFunction::Parameters along = {{0.4}, {-0.7, 0.9}};
  const auto result = function_.pull_back(inputs, parameters_, bars);
  double slope = std::inner_product(direction.begin(), direction.end(), result.inputs.begin(), 0.0);
  for (std::size_t p = 0; p < along.size(); ++p)
    for (std::size_t c = 0; c < along[p].size(); ++c) slope += along[p][c] * result.parameters.at(p).at(c);
  test::expect_slope(
      [&](double h) {
        auto moved = inputs;
        for (std::size_t k = 0; k < moved.size(); ++k) moved[k] += h * direction[k];
        auto parameters = parameters_;
        for (std::size_t p = 0; p < along.size(); ++p)
          for (std::size_t c = 0; c < along[p].size(); ++c) parameters[p][c] += h * along[p][c];
        const auto outputs = function_.evaluate(moved, parameters);
        return std::inner_product(bars.begin(), bars.end(), outputs.begin(), 0.0);
      },
      slope);
}

INSTANTIATE_TEST_SUITE_P(Items, Batched, ::testing::Values(0, 1, 7, 8, 37, 5000),
                         [](const auto& one) { return std::to_string(one.param); });

}  // namespace
}  // namespace proxima::contact
