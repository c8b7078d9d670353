// The update of a plastic history pulled back at equal stretches, where the quotients that the language writes for a
// composed matrix are 0/0.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/states.hpp"

namespace proxima::test {
namespace {

using derive::Quantity;
using Extended = std::vector<long double>;

struct Stretches {
  const char* name;
  std::array<double, 3> values;
};

class PlasticUpdate : public testing::TestWithParam<Stretches> {
 protected:
  const ir::Energy energy = energy_named("von_mises_plasticity");
  const ir::Kernel update = derive::strain_kernel(energy, Quantity::history_update);
  const ir::Kernel pull_back = derive::strain_kernel(energy, Quantity::history_pull_back);

  static Extended some(std::size_t count, double seed) {
    Extended values;
    for (std::size_t k = 0; k < count; ++k) values.push_back(std::sin(seed + 2.3 * static_cast<double>(k)));
    return values;
  }
  Extended run(const ir::Kernel& kernel, const Extended& strain) const {
    Extended inputs;
    std::size_t parameter = 0;
    for (const ir::Field& field : kernel.inputs) {
      Extended values = some(field.components, 4);  // of history_bar
      if (field.name == "strain") values = strain;
      if (field.name.starts_with("parameter:")) values = {energy.parameters[parameter++].default_value};
      for (const ir::Input& input : energy.inputs)
        if (field.name == "history:" + input.name) values.assign(input.initial.begin(), input.initial.end());
      inputs.insert(inputs.end(), values.begin(), values.end());
    }
    return ir::evaluate<long double>(kernel, inputs);
  }
  // The sum that is pulled back: updated values times their adjoints.
  long double sum(const Extended& strain) const {
    const Extended updated = run(update, strain);
    long double total = 0;
    std::size_t k = 0;
    for (const ir::Field& field : update.outputs) {
      const Extended adjoints = some(field.components, 4);
      for (long double adjoint : adjoints) total += adjoint * updated[k++];
    }
    return total;
  }
};

TEST_P(PlasticUpdate, IsPulledBack) {
  const std::array<double, 3>& s = GetParam().values;
  const Numbers F =
      flat(rotation(0.8, 1, 2, -1) * Eigen::Vector3d(s[0], s[1], s[2]).asDiagonal() * rotation(-0.5, 0, 1, 3));
  const Extended strain(F.begin(), F.end()), direction = some(9, 1);
  const auto at = [&](long double h) {
    Extended moved = strain;
    for (std::size_t k = 0; k < 9; ++k) moved[k] += h * direction[k];
    return sum(moved);
  };
  const long double h = 1e-5L, difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  const Extended pulled = run(pull_back, strain);
  long double product = 0;
  for (std::size_t k = 0; k < 9; ++k) product += pulled[k] * direction[k];
  for (long double value : pulled) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NEAR(static_cast<double>(product), static_cast<double>(difference),
              1e-9 * (1 + std::fabs(static_cast<double>(difference))));
}

std::vector<Stretches> stretches() {
  return {{"Different", {1.1, 1.02, 0.93}},
          {"LowerEqual", {1.1, 0.95, 0.95}},
          {"UpperEqual", {1.04, 1.04, 0.9}},
          {"NearlyEqual", {1.1, 0.95, 0.95 - 1e-9}},
          {"AllEqual", {1.02, 1.02, 1.02}}};
}

INSTANTIATE_TEST_SUITE_P(Stretches, PlasticUpdate, testing::ValuesIn(stretches()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace proxima::test
