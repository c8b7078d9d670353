// A compiled kernel run on a few elements whose inputs are made for the purpose, beside the interpreter on the same
// numbers. Internal to the room.
#pragma once

#include <functional>
#include <vector>

#include "compiler/ir/kernel.hpp"
#include "compiler/jit/jit.hpp"

namespace proxima::check {

// Inputs by field, element after element: for a uniform field one element's, for a nodal field corners * components an
// element. No two elements share a node.
struct Batch {
  std::size_t elements = 0;
  std::vector<std::vector<double>> fields;
};

// By output field, element after element. Inputs are rounded to the kernel's precision.
std::vector<std::vector<double>> run(const jit::CompiledKernel& kernel, const Batch& batch);

// The same by the interpreter in double precision, inputs rounded as a kernel of `precision` has them.
std::vector<std::vector<double>> interpret(const ir::Kernel& kernel, const Batch& batch, jit::Precision precision);

// Nanoseconds an element takes on one thread with its data in the cache: the best of several runs of a millisecond.
double nanoseconds(const jit::CompiledKernel& kernel, const Batch& batch);

}  // namespace proxima::check
