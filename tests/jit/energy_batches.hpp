// Inputs for the kernels of any energy, whatever its measure and inputs.
#pragma once

#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/ir/energy.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::jit::testing {

using Numbers = std::vector<double>;

// One element for each of the states of tests/derive/states.hpp: the fields of a strain_kernel.
Batch strain_batch(const ir::Kernel& kernel, const ir::Energy& energy);

// The same for a local step (compiler/derive/local_step.hpp) with the energy's rest weight.
Batch local_step_batch(const ir::Kernel& step, const ir::Energy& energy);

// How many iterations there were and what was left of the residual is decided by roundings: a local step without these.
bool is_report(const ir::Field& output);
ir::Kernel without_reports(ir::Kernel step);

// The step's points p, by the interpreter, by element.
std::vector<Numbers> points_of_step(const ir::Kernel& step, const Batch& batch);

// The same for its adjoint; `p`: the element's results of the step, by element, where the adjoint wants them.
Batch local_step_adjoint_batch(const ir::Kernel& adjoint, const ir::Energy& energy, const std::vector<Numbers>& p);

// The shapes that the energy can live on.
std::vector<derive::Shape> shapes_of(const ir::Energy& energy);

// One element for each state, with nodes of its own: the fields of an element_kernel.
Batch element_batch(const ir::Kernel& kernel, const ir::Energy& energy, derive::Shape shape);

}  // namespace proxima::jit::testing
