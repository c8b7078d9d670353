// The vocabulary of generated code: what a number is on this target, and each operator's spelling. Internal to llvm/.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string>

#include "compiler/emit/target.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::emit {

struct VectorCode {
  VectorCode(Precision precision, const Target& target, llvm::Module& module);

  // The same number in all lanes; rounded once when the kernel is in single precision.
  llvm::Constant* constant(double number);

  // The operator of this row applied to whole registers.
  llvm::Value* apply(const ir::Operator& row, llvm::ArrayRef<llvm::Value*> x);

  // A function of the module that is compiled for the target's instructions.
  llvm::Function* function(const std::string& name, llvm::ArrayRef<llvm::Type*> arguments,
                           llvm::GlobalValue::LinkageTypes linkage);

  // Inputs don't change while a kernel runs, so their loads need not stay before the stores.
  llvm::Value* invariant(llvm::Instruction* load);

  llvm::Align register_alignment() const { return llvm::Align(static_cast<std::uint64_t>(target.vector_bits / 8)); }

  const Precision precision;
  const Target& target;
  llvm::Module& module;
  llvm::IRBuilder<> builder;
  const unsigned lanes;
  llvm::Type* const scalar;
  llvm::FixedVectorType* const vector;    // a number in every lane
  llvm::FixedVectorType* const integers;  // integers as wide as the numbers: a truth value in memory

  std::size_t workspace_slots = 0;  // in all workspaces of the module (workspace.hpp)

 private:
  llvm::Value* call(const std::string& name, llvm::ArrayRef<llvm::Value*> x);
};

}  // namespace proxima::emit
