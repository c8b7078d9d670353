#include "compiler/emit/llvm/object.hpp"

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <memory>
#include <mutex>
#include <stdexcept>

namespace proxima::emit {
namespace {

// The kernels are for the processor family this program was built for.
constexpr const char* triple = "x86_64-unknown-linux-gnu";

const llvm::Target& code_generator() {
  static const llvm::Target* found = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr) throw std::logic_error("LLVM has no code generator for this processor: " + error);
    return target;
  }();
  return *found;
}

}  // namespace

std::string emit_object(llvm::Module& module, const Target& target, Effort effort) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // fuse only what carries the `contract` flag
  options.EnableFastISel = effort == Effort::quick;
  const std::unique_ptr<llvm::TargetMachine> machine(code_generator().createTargetMachine(
      triple, target.cpu, "", options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      effort == Effort::quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());

  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    throw std::logic_error("LLVM cannot write object files for this target");
  passes.run(module);
  return std::string(object.str());
}

std::string code_generator_version() { return "LLVM " LLVM_VERSION_STRING; }

}  // namespace proxima::emit
