// Prints a scheduled kernel as LLVM IR that handles `lanes` elements at once in vector registers.
#pragma once

#include <cstddef>
#include <string>

#include "compiler/emit/schedule.hpp"
#include "compiler/emit/target.hpp"

namespace llvm {
class Module;
}

namespace proxima::emit {

// The name of the one function that the module exports; its type is jit::CompiledKernel::Function.
inline constexpr const char* kernel_symbol = "proxima_kernel";

// A kernel of more steps than this, before the loop over the tiles or in it, is split into functions of at most so many
// steps each; see chunks.hpp and docs/rooms/emit.md.
inline constexpr std::size_t longest_function = 1000;

// Mathematical functions are left as calls to SLEEF's vector functions, see vector_function(). Throws std::length_error
// when more values must be kept from one function to another than a thread's stack has room for: about 50 000 on
// AVX-512.
void print_kernel(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module);

// SLEEF's name for the function of C name `name` on whole registers, within 1.0 ulp: ("log", fp64, AVX-512) is
// "Sleef_logd8_u10avx512f".
std::string vector_function(const std::string& name, Precision precision, const Target& target);

}  // namespace proxima::emit
