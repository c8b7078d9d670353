// Functions: what is written down, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "compiler/dsl/include/proxima/dsl.hpp"
#include "compiler/dsl/registry.hpp"
#include "compiler/dsl/trace.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/serialize.hpp"
#include "compiler/support/error.hpp"

namespace {

using namespace proxima::dsl;
namespace ir = proxima::ir;

PROXIMA_FUNCTION(policy) {
  auto time = input("time");
  auto gain = parameter("gain", newton, 2).positive();
  auto W = weights<2, 4>("W");
  auto feet = input<3>("feet");
  auto b = weights<2>("b", uniform(7, 0.25));
  output("activation", tanh(W * join(time, feet) + b));
  output("sum", gain * (feet[0] + feet[1] + feet[2]));
}

TEST(Function, HasItsInputsParametersAndOutputsInOrder) {
  const ir::Function function = find_function("policy");
  EXPECT_EQ(function.name, "policy");
  ASSERT_EQ(function.inputs.size(), 2u);
  EXPECT_EQ(function.inputs[0].name, "time");
  EXPECT_EQ(function.inputs[0].components, 1u);
  EXPECT_EQ(function.inputs[1].name, "feet");
  EXPECT_EQ(function.inputs[1].components, 3u);
  ASSERT_EQ(function.parameters.size(), 3u);
  EXPECT_EQ(function.parameters[0].name, "gain");
  EXPECT_EQ(function.parameters[0].unit, "N");
  EXPECT_EQ(function.parameters[0].lower, 0);
  EXPECT_EQ(function.parameters[1].name, "W");
  EXPECT_EQ(function.parameters[1].components(), 8u);
  EXPECT_EQ(function.parameters[2].name, "b");
  ASSERT_EQ(function.outputs.size(), 2u);
  EXPECT_EQ(function.outputs[0].name, "activation");
  EXPECT_EQ(function.outputs[0].roots.size(), 2u);
  EXPECT_EQ(function.outputs[1].roots.size(), 1u);
}

TEST(Function, WeightsStartFromTheirInterval) {
  const ir::Function function = find_function("policy");
  for (const auto& [parameter, half_width] : {std::pair{&function.parameters[1], 0.5}, {&function.parameters[2], 0.25}})
    for (const double value : parameter->default_values) {
      EXPECT_LE(std::abs(value), half_width);
      EXPECT_NE(value, 0);
    }
  EXPECT_EQ(find_function("policy").parameters[1].default_values, function.parameters[1].default_values);
}

// Slots: time, feet, gain, W, b.
TEST(Function, ComputesWhatIsWritten) {
  const ir::Function function = find_function("policy");
  std::vector<double> slots(4 + 1 + 8 + 2);
  std::iota(slots.begin(), slots.end(), 1);
  for (double& slot : slots) slot /= 10;
  const auto values = ir::evaluate<double>(function.graph, roots_of(function), slots);
  for (std::size_t i = 0; i < 2; ++i) {
    double sum = slots[13 + i];
    for (std::size_t j = 0; j < 4; ++j) sum += slots[5 + 4 * i + j] * slots[j];
    EXPECT_DOUBLE_EQ(values[i], std::tanh(sum));
  }
  EXPECT_DOUBLE_EQ(values[2], 0.5 * (0.2 + 0.3 + 0.4));
}

TEST(Function, ComesBackFromItsBytes) {
  const ir::Function function = find_function("policy");
  const std::string bytes = to_bytes(function);
  const auto back = ir::function_from_bytes(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_bytes(*back), bytes);
  EXPECT_EQ(back->parameters[1].default_values, function.parameters[1].default_values);
  EXPECT_EQ(back->graph.files()[back->outputs[1].where.file], function.file);
  EXPECT_FALSE(ir::function_from_bytes(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(ir::energy_from_bytes(bytes));
}

}  // namespace
