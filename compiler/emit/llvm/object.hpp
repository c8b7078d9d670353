// LLVM IR to an object file in memory. The one place that sets up LLVM's code generator.
#pragma once

#include <string>

#include "compiler/emit/target.hpp"

namespace llvm {
class Module;
}

namespace proxima::emit {

enum class Effort { quick, full };  // quick: for code that runs once, such as an author's file

// Machine code for the module as an ELF object, position independent. Sets the module's triple and data layout.
// Safe to call from several threads when each module has a context of its own.
std::string emit_object(llvm::Module& module, const Target& target, Effort effort);

// What besides a kernel decides its machine code: part of every cache key.
std::string code_generator_version();

}  // namespace proxima::emit
