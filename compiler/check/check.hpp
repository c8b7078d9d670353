// What an energy is as a material: what it does at rest, under rotations, at the ends of the world, whether its derived
// kernels are right and what they cost. Everything is computed from the energy's graph by the interpreter; the compiled
// kernels are compared with it. Needs no mesh and no simulation, prints nothing.
#pragma once

#include <vector>

#include "compiler/check/report.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/jit/jit.hpp"

namespace proxima::check {

struct Options {
  std::vector<double> parameters;  // in the order of the energy's; empty for the defaults
  bool timing = true;              // measure nanoseconds per element, which takes some milliseconds a kernel
};

// Throws Error when the parameters are not as many as the energy's, or out of their bounds. The same energy gives the
// same report on every machine but for the table of costs and the last digits of rounding errors.
Report check(const ir::Energy& energy, jit::Engine& engine, const Options& options = {});

// The curves of the report alone, without any check; none for an energy that is not finite at rest, a dissipation or a
// stencil. Throws as check().
std::vector<Curve> curves(const ir::Energy& energy, jit::Engine& engine, const Options& options = {});

}  // namespace proxima::check
