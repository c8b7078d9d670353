// What depends on uniform fields alone, taken out of a kernel: computed once, before a launch, and handed to all
// threads as numbers. A number by value costs a thread no register; what it computes for itself does.
#pragma once

#include "compiler/ir/kernel.hpp"

namespace proxima::emit {

struct Divided {
  ir::Kernel prologue;  // from all uniform fields of the kernel, in order, to one field of `computed` numbers
  ir::Kernel kernel;    // the same kernel, with a last uniform field "computed" where there is something to compute
};

// The numbers are the largest formulas of uniform fields and constants; a sign is left to the threads, for which it is
// free, and so is a condition. What is uniform within a loop's body stays there.
Divided divide(const ir::Kernel& kernel);

}  // namespace proxima::emit
