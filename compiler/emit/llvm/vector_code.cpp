#include "compiler/emit/llvm/vector_code.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <map>
#include <stdexcept>

#include "compiler/emit/llvm/print.hpp"

namespace proxima::emit {
namespace {

using ir::Form;

llvm::Instruction::BinaryOps opcode(const std::string& word) {
  static const std::map<std::string, llvm::Instruction::BinaryOps> words = {
      {"fadd", llvm::Instruction::FAdd}, {"fsub", llvm::Instruction::FSub}, {"fmul", llvm::Instruction::FMul},
      {"fdiv", llvm::Instruction::FDiv}, {"and", llvm::Instruction::And},   {"or", llvm::Instruction::Or},
      {"xor", llvm::Instruction::Xor}};
  return words.at(word);
}

llvm::CmpInst::Predicate predicate(const std::string& word) {
  static const std::map<std::string, llvm::CmpInst::Predicate> words = {{"olt", llvm::CmpInst::FCMP_OLT},
                                                                        {"ole", llvm::CmpInst::FCMP_OLE},
                                                                        {"oeq", llvm::CmpInst::FCMP_OEQ},
                                                                        {"ogt", llvm::CmpInst::FCMP_OGT}};
  return words.at(word);
}

}  // namespace

VectorCode::VectorCode(Precision p, const Target& t, llvm::Module& m)
    : precision(p),
      target(t),
      module(m),
      builder(m.getContext()),
      lanes(static_cast<unsigned>(t.lanes(p))),
      scalar(p == Precision::fp64 ? builder.getDoubleTy() : builder.getFloatTy()),
      vector(llvm::FixedVectorType::get(scalar, lanes)),
      integers(llvm::FixedVectorType::get(p == Precision::fp64 ? builder.getInt64Ty() : builder.getInt32Ty(), lanes)) {
  // A product that feeds a sum may be fused with it; nothing else may be rearranged.
  llvm::FastMathFlags flags;
  flags.setAllowContract();
  builder.setFastMathFlags(flags);
}

llvm::Constant* VectorCode::constant(double number) {
  return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes), llvm::ConstantFP::get(scalar, number));
}

llvm::Value* VectorCode::apply(const ir::Operator& row, llvm::ArrayRef<llvm::Value*> x) {
  const std::string word(row.llvm);
  switch (row.form) {
    case Form::arithmetic:
      return word == "fneg" ? builder.CreateFNeg(x[0]) : builder.CreateBinOp(opcode(word), x[0], x[1]);
    case Form::intrinsic:
      return builder.CreateUnaryIntrinsic(llvm::Function::lookupIntrinsicID(word), x[0]);
    case Form::library:
      return call(vector_function(word, precision, target), x);
    case Form::comparison:
      return builder.CreateFCmp(predicate(word), x[0], x[1]);
    case Form::comparison_select:
      return builder.CreateSelect(builder.CreateFCmp(predicate(word), x[0], x[1]), x[0], x[1]);
    case Form::logic:
      return builder.CreateBinOp(opcode(word), x[0],
                                 x.size() == 1 ? llvm::Constant::getAllOnesValue(x[0]->getType()) : x[1]);
    case Form::select:
      return builder.CreateSelect(x[0], x[1], x[2]);
    case Form::leaf:
    case Form::composite:
    case Form::part:
    case Form::loop:
      break;
  }
  throw std::logic_error("no LLVM instruction for operator " + std::string(row.name));
}

llvm::Value* VectorCode::call(const std::string& name, llvm::ArrayRef<llvm::Value*> x) {
  const std::vector<llvm::Type*> types(x.size(), vector);
  auto callee = module.getOrInsertFunction(name, llvm::FunctionType::get(vector, types, /*isVarArg=*/false));
  auto* called = llvm::cast<llvm::Function>(callee.getCallee());
  called->setDoesNotThrow();
  called->setDoesNotAccessMemory();
  called->addFnAttr(llvm::Attribute::WillReturn);
  return builder.CreateCall(callee, x);
}

llvm::Function* VectorCode::function(const std::string& name, llvm::ArrayRef<llvm::Type*> arguments,
                                     llvm::GlobalValue::LinkageTypes linkage) {
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), arguments, /*isVarArg=*/false);
  auto* made = llvm::Function::Create(type, linkage, name, module);
  made->setDoesNotThrow();
  made->addFnAttr("target-cpu", target.cpu);
  // A processor with fast gathers: the generic one makes AVX2 kernels gather by scalar loads, a fifth slower.
  if (target.vector_bits >= 256) made->addFnAttr("tune-cpu", "icelake-server");
  // Without these two LLVM splits 512-bit operations in halves.
  made->addFnAttr("min-legal-vector-width", std::to_string(target.vector_bits));
  made->addFnAttr("prefer-vector-width", std::to_string(target.vector_bits));
  return made;
}

llvm::Value* VectorCode::invariant(llvm::Instruction* load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
  return load;
}

std::string vector_function(const std::string& name, Precision precision, const Target& target) {
  const char* instructions = target.vector_bits == 512 ? "avx512f" : target.vector_bits == 256 ? "avx2" : "sse2";
  return "Sleef_" + name + (precision == Precision::fp64 ? "d" : "f") + std::to_string(target.lanes(precision)) +
         "_u10" + instructions;
}

}  // namespace proxima::emit
