#include "compiler/emit/llvm/compile.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <sleef.h>

#include <string_view>

#include "compiler/emit/llvm/object.hpp"
#include "compiler/emit/llvm/print.hpp"
#include "compiler/emit/lower.hpp"

namespace proxima::emit {

// A hash of this room's sources, written while building.
std::string_view emitter_fingerprint();

namespace {

void print(const ir::Kernel& kernel, Precision precision, const Target& target, llvm::Module& module) {
  const int registers = target.vector_bits == 512 ? 32 : 16;
  const ir::Kernel lowered = lower(kernel, precision);
  print_kernel(schedule(lowered, registers), precision, target, module);
}

}  // namespace

std::string compile_kernel(const ir::Kernel& kernel, Precision precision, const Target& target) {
  llvm::LLVMContext context;
  llvm::Module module(kernel.name, context);
  print(kernel, precision, target, module);
  return emit_object(module, target, Effort::full);
}

std::string kernel_as_text(const ir::Kernel& kernel, Precision precision, const Target& target) {
  llvm::LLVMContext context;
  llvm::Module module(kernel.name, context);
  print(kernel, precision, target, module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

std::string compile_key(Precision precision, const Target& target) {
  return "emitter " + std::string(emitter_fingerprint()) + ", " + code_generator_version() + ", SLEEF " +
         std::to_string(SLEEF_VERSION_MAJOR) + "." + std::to_string(SLEEF_VERSION_MINOR) + "." +
         std::to_string(SLEEF_VERSION_PATCHLEVEL) + ", " + target.cpu + ", " + std::to_string(target.vector_bits) +
         (precision == Precision::fp64 ? ", fp64" : ", fp32");
}

}  // namespace proxima::emit
