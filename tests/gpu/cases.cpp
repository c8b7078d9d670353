#include "tests/gpu/cases.hpp"

#include <utility>

#include "compiler/check/kernel_list.hpp"
#include "tests/jit/energy_batches.hpp"

namespace proxima::gpu {

namespace batches = jit::testing;

std::vector<Case> cases_of(const ir::Energy& energy) {
  std::vector<Case> cases;
  const auto add = [&](ir::Kernel kernel, batches::Batch batch) {
    cases.push_back({std::move(kernel), std::move(batch)});
  };
  for (const auto& named : check::element_kernels(energy))
    add(named.kernel, batches::element_batch(named.kernel, energy, check::shape_of(energy)));
  for (const auto& named : check::strain_kernels(energy))
    add(named.kernel, batches::strain_batch(named.kernel, energy));
  const std::vector<bool> uniform(energy.parameters.size(), false);
  for (const check::LocalForm& form : check::local_forms(energy)) {
    const ir::Kernel step = derive::local_step(energy, form.form, uniform);
    const ir::Kernel adjoint = derive::local_step_adjoint(energy, form.form, uniform);
    const batches::Batch batch = batches::local_step_batch(step, energy);
    add(adjoint, batches::local_step_adjoint_batch(adjoint, energy, batches::points_of_step(step, batch)));
    add(step, batch);
  }
  return cases;
}

}  // namespace proxima::gpu
