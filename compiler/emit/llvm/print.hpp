// Prints a scheduled kernel as LLVM IR that handles `lanes` elements at once in vector registers.
#pragma once

#include <string>

#include "compiler/emit/schedule.hpp"
#include "compiler/emit/target.hpp"

namespace llvm {
class Module;
}

namespace proxima::emit {

// The name of the one function of the module; its type is jit::CompiledKernel::Function.
inline constexpr const char* kernel_symbol = "proxima_kernel";

// Mathematical functions are left as calls to SLEEF's vector functions, see vector_function().
void print_kernel(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module);

// SLEEF's name for the function of C name `name` on whole registers, within 1.0 ulp: ("log", fp64, AVX-512) is
// "Sleef_logd8_u10avx512f".
std::string vector_function(const std::string& name, Precision precision, const Target& target);

}  // namespace proxima::emit
