// A kernel to an object file: schedule, print, generate.
#pragma once

#include <string>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::emit {

// The object exports one function, kernel_symbol (print.hpp). Thread-safe. Throws std::length_error for a kernel that
// is too long.
std::string compile_kernel(const ir::Kernel& kernel, Precision precision, const Target& target);

// The LLVM IR that the object is made from, to look at.
std::string kernel_as_text(const ir::Kernel& kernel, Precision precision, const Target& target);

// Everything besides the kernel that decides the object, as a string: part of a cache key.
std::string compile_key(Precision precision, const Target& target);

}  // namespace proxima::emit
