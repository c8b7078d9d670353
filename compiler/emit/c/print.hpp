// A kernel as plain C (C99 and math.h) to read, to check with another compiler, or to take elsewhere: a function for
// one element at a time, with the author's names where the kernel has them and loops as loops.
#pragma once

#include <string>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::emit {

// The text of a file. Its one external function is named after the kernel (c_function_name), returns nothing and takes
// the kernel's fields in order, inputs then outputs: a pointer to the element's scalars (nodal: corner after corner),
// or the number itself for an input field of one scalar. Scalars are double, or float in single precision.
std::string kernel_as_c(const ir::Kernel& kernel, Precision precision);

// "stable_neo_hookean_forces" for the kernel "stable_neo_hookean.forces".
std::string c_function_name(const ir::Kernel& kernel);

}  // namespace proxima::emit
