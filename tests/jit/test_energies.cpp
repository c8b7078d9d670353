// Every kernel of every energy, shipped ones and those that exercise the other operators, on every target, against the
// interpreter: at rest, rotated, two and nearly two equal stretches, near-singular, inverted, and in between.
#include <gtest/gtest.h>

#include <array>

#include "compiler/derive/derive.hpp"
#include "tests/derive/states.hpp"
#include "tests/jit/energy_batches.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using derive::Quantity;

constexpr Quantity of_strain[] = {Quantity::energy,
                                  Quantity::forces,
                                  Quantity::energy_forces,
                                  Quantity::hessian_vector,
                                  Quantity::hessian_vector_clamped,
                                  Quantity::hessian_vector_absolute,
                                  Quantity::hessian,
                                  Quantity::pull_back,
                                  Quantity::carried_pull_back,
                                  Quantity::state,
                                  Quantity::history_update};
constexpr Quantity of_elements[] = {Quantity::energy_forces, Quantity::hessian_vector, Quantity::hessian,
                                    Quantity::pull_back,     Quantity::rest_pull_back, Quantity::carried_pull_back,
                                    Quantity::history_update};

class Energies : public ::testing::TestWithParam<int> {
 protected:
  const Target target_ =
      std::array{Target::avx512(), Target::avx2(), Target::portable()}.at(static_cast<std::size_t>(GetParam()));
  void SetUp() override {
    if (!target_.runs_here()) GTEST_SKIP() << target_.cpu << ": not on this processor";
  }

  // The widest registers see every kernel in both precisions, the others each kernel in one of them.
  void check(const ir::Kernel& kernel, const testing::Batch& batch) {
    if (kernel.outputs.empty()) return;
    ++kernels_;
    for (const Precision precision : {Precision::fp64, Precision::fp32}) {
      const bool odd = precision == Precision::fp32;
      if (GetParam() != 0 && (kernels_ % 2 == 1) != odd) continue;
      testing::expect_equals_interpreter(kernel, *engine_->compile(kernel, precision), batch, target_.cpu);
    }
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<Engine> engine_ = target_.runs_here() ? std::make_unique<Engine>(folder_.path(), target_) : nullptr;
  int kernels_ = 0;
};

TEST_P(Energies, StrainKernelsEqualTheInterpreter) {
  for (const ir::Energy& energy : test::energies())
    for (const Quantity quantity : of_strain) {
      const ir::Kernel kernel = derive::strain_kernel(energy, quantity);
      check(kernel, testing::strain_batch(kernel, energy));
    }
}

TEST_P(Energies, ElementKernelsEqualTheInterpreter) {
  for (const ir::Energy& energy : test::energies())
    for (const Quantity quantity : of_elements)
      for (const derive::Shape shape : testing::shapes_of(energy)) {
        std::vector<bool> per_element(energy.parameters.size());
        for (std::size_t k = 0; k < per_element.size(); ++k) per_element[k] = k % 2 == 1;
        const ir::Kernel kernel = derive::element_kernel(energy, quantity, shape, per_element);
        check(kernel, testing::element_batch(kernel, energy, shape));
      }
}

INSTANTIATE_TEST_SUITE_P(Targets, Energies, ::testing::Values(0, 1, 2), [](const auto& which) {
  return std::string(std::array{"avx512", "avx2", "portable"}.at(static_cast<std::size_t>(which.param)));
});

}  // namespace
}  // namespace proxima::jit
