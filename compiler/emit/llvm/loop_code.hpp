// A loop over whole registers. Internal to llvm/.
#pragma once

#include <vector>

#include "compiler/emit/llvm/vector_code.hpp"
#include "compiler/emit/schedule.hpp"

namespace proxima::emit {

// Prints the loop at the builder's place and goes on after it. `operands`: initial values of the carried numbers, then
// the captured ones. Returns the carried numbers after the loop. A lane whose condition fails keeps its numbers while
// others go on; as the body is a function of them, the condition fails in all later trips too.
std::vector<llvm::Value*> print_loop(VectorCode& code, const ScheduledLoop& scheduled,
                                     llvm::ArrayRef<llvm::Value*> operands);

}  // namespace proxima::emit
