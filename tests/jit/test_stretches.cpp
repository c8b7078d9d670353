// Kernels of energies of stretches and rotations as machine code, in both precisions, at the states where digits are
// easily lost: equal and nearly equal stretches, rank two and one, inverted.
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/interpreter.hpp"
#include "tests/derive/spectral_energies.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using derive::Quantity;

class Stretches : public ::testing::TestWithParam<std::string> {};

testing::Batch batch_of(const std::vector<test::State>& states, bool has_direction) {
  testing::Batch batch;
  batch.elements = states.size();
  batch.fields.resize(has_direction ? 2 : 1);
  for (std::size_t e = 0; e < states.size(); ++e) {
    const auto append = [](std::vector<double>& field, const test::Matrix3& F) {
      field.insert(field.end(), F.data(), F.data() + 9);
    };
    append(batch.fields[0], states[e].F);
    if (has_direction) append(batch.fields[1], test::some_direction(static_cast<int>(e)));
  }
  return batch;
}

// Against the interpreter in extended precision for the same (rounded) inputs: no state costs digits, but a nearly
// singular one those of its smallest stretch, squared if the energy takes it from F^T F.
TEST_P(Stretches, KernelsHaveTheDigitsOfTheirPrecision) {
  const test::SpectralEnergy spectral = test::spectral_energy(GetParam());
  std::vector<test::State> states;
  for (const test::State& state : test::spectral_states())
    if (spectral.is_smooth_at(state)) states.push_back(state);
  const testing::TemporaryFolder folder;
  Engine engine(folder.path(), testing::targets_here().front());
  for (const Quantity quantity : {Quantity::forces, Quantity::hessian_vector, Quantity::hessian_vector_clamped,
                                  Quantity::hessian_vector_absolute}) {
    const ir::Kernel kernel = derive::strain_kernel(spectral.energy, quantity);
    const testing::Batch batch = batch_of(states, kernel.inputs.size() == 2);
    for (const Precision precision : {Precision::fp64, Precision::fp32}) {
      const auto results = testing::run(*engine.compile(kernel, precision), batch)[0];
      for (std::size_t e = 0; e < states.size(); ++e) {
        SCOPED_TRACE(kernel.name + (precision == Precision::fp64 ? " fp64 " : " fp32 ") + states[e].name);
        const auto x = testing::inputs_of(kernel, batch, e, precision);
        const auto exact = ir::evaluate<long double>(kernel, std::vector<long double>(x.begin(), x.end()));
        double size = 1;
        for (long double value : exact) size = std::max(size, static_cast<double>(std::fabs(value)));
        const double smallest = GetParam() == "hencky_eigen" ? states[e].scale * states[e].scale : states[e].scale;
        const double tolerance = (precision == Precision::fp64 ? 2e-14 : 5e-6) / smallest;
        for (std::size_t k = 0; k < 9; ++k)
          EXPECT_NEAR(results[9 * e + k], static_cast<double>(exact[k]), tolerance * size);
      }
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const test::SpectralEnergy& energy : test::spectral_energies()) result.push_back(energy.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Energies, Stretches, ::testing::ValuesIn(names()),
                         [](const auto& which) { return which.param; });

}  // namespace
}  // namespace proxima::jit
