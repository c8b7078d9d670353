// Local steps and their adjoints as machine code against the interpreter: for every energy, in every form that it has.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "compiler/derive/local_step.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/support/error.hpp"
#include "tests/derive/states.hpp"
#include "tests/jit/energy_batches.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit {
namespace {

using derive::LocalForm;

bool has(const ir::Energy& energy, LocalForm form) {
  if (form == LocalForm::projective) return energy.projection.has_value();
  return form == LocalForm::explicit_ || energy.strain_components() <= 12;
}

class LocalSteps : public ::testing::TestWithParam<LocalForm> {};

TEST_P(LocalSteps, EqualTheInterpreter) {
  // On one target: what is special to each is tested by shorter kernels.
  const Target target = Target::host();
  const testing::TemporaryFolder folder;
  Engine engine(folder.path(), target);
  for (const ir::Energy& energy : test::energies()) {
    if (!has(energy, GetParam())) continue;
    const std::vector<bool> per_element(energy.parameters.size());
    const ir::Kernel step = testing::without_reports(derive::local_step(energy, GetParam(), per_element));
    const testing::Batch batch = testing::local_step_batch(step, energy);
    const ir::Kernel adjoint = derive::local_step_adjoint(energy, GetParam(), per_element);
    const auto p = testing::points_of_step(step, batch);
    const testing::Batch adjoint_batch = testing::local_step_adjoint_batch(adjoint, energy, p);
    for (const Precision precision : {Precision::fp64, Precision::fp32}) {
      testing::expect_equals_interpreter(step, *engine.compile(step, precision), batch, target.cpu);
      testing::expect_equals_interpreter(adjoint, *engine.compile(adjoint, precision), adjoint_batch, target.cpu);
    }
  }
}

// An isotropic energy, one that is not, one with a closest point, one of a surface.
TEST(Envelopes, EqualTheInterpreter) {
  using derive::Quantity;
  const Target target = Target::host();
  const testing::TemporaryFolder folder;
  Engine engine(folder.path(), target);
  for (const char* name : {"stable_neo_hookean", "fung", "diffpd", "membrane"}) {
    const ir::Energy energy = derive::moreau_envelope(test::energy_named(name));
    const std::vector<bool> per_element(energy.parameters.size(), true);
    for (const Quantity quantity :
         {Quantity::energy_forces, Quantity::hessian_vector, Quantity::hessian, Quantity::pull_back}) {
      const auto shape = testing::shapes_of(energy).front();
      const ir::Kernel kernel = derive::element_kernel(energy, quantity, shape, per_element);
      const testing::Batch batch = testing::element_batch(kernel, energy, shape);
      for (const Precision precision : {Precision::fp64, Precision::fp32})
        testing::expect_equals_interpreter(kernel, *engine.compile(kernel, precision), batch, target.cpu);
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<LocalForm>& which) {
  return which.param == LocalForm::projective  ? "projective"
         : which.param == LocalForm::explicit_ ? "explicit"
                                               : "proximal";
}
INSTANTIATE_TEST_SUITE_P(Forms, LocalSteps,
                         ::testing::Values(LocalForm::projective, LocalForm::explicit_, LocalForm::proximal), name_of);

}  // namespace
}  // namespace proxima::jit
