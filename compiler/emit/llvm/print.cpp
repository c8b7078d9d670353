#include "compiler/emit/llvm/print.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <map>
#include <stdexcept>

#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Access;
using ir::Form;
using ir::NodeId;
using ir::Op;

class Printer {
 public:
  Printer(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module)
      : scheduled_(scheduled),
        kernel_(*scheduled.kernel),
        precision_(precision),
        target_(target),
        module_(module),
        builder_(module.getContext()),
        lanes_(static_cast<unsigned>(target.lanes(precision))),
        scalar_(precision == Precision::fp64 ? builder_.getDoubleTy() : builder_.getFloatTy()),
        vector_(llvm::FixedVectorType::get(scalar_, lanes_)),
        values_(kernel_.graph.size()) {
    // A product that feeds a sum may be fused with it; nothing else may be rearranged.
    llvm::FastMathFlags flags;
    flags.setAllowContract();
    builder_.setFastMathFlags(flags);
  }

  void print() {
    make_function();
    auto* entry = llvm::BasicBlock::Create(module_.getContext(), "entry", function_);
    auto* loop = llvm::BasicBlock::Create(module_.getContext(), "tile", function_);
    auto* done = llvm::BasicBlock::Create(module_.getContext(), "done", function_);

    builder_.SetInsertPoint(entry);
    for (unsigned f = 0; f < kernel_.inputs.size(); ++f) inputs_.push_back(base(0, f));
    for (unsigned f = 0; f < kernel_.outputs.size(); ++f) outputs_.push_back(base(1, f));
    for (const Step& step : scheduled_.once) evaluate(step.node);
    builder_.CreateCondBr(builder_.CreateICmpSLT(argument(tile_begin), argument(tile_end)), loop, done);

    builder_.SetInsertPoint(loop);
    llvm::PHINode* tile = builder_.CreatePHI(builder_.getInt64Ty(), 2, "tile");
    tile->addIncoming(argument(tile_begin), entry);
    tile_ = tile;
    for (const Step& step : scheduled_.each_tile) {
      if (step.kind == Step::Kind::evaluate)
        evaluate(step.node);
      else
        store(step.result, value(step.node));
    }
    llvm::Value* next = builder_.CreateAdd(tile, builder_.getInt64(1), "", true, true);
    tile->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpSLT(next, argument(tile_end)), loop, done);

    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
  }

 private:
  enum Argument : unsigned { input_pointers, output_pointers, node_list, tile_begin, tile_end };
  llvm::Value* argument(Argument which) const { return function_->getArg(which); }

  void make_function() {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Type* integer = builder_.getInt64Ty();
    auto* type =
        llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer, pointer, integer, integer}, /*vararg=*/false);
    function_ = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, kernel_symbol, module_);
    function_->setDoesNotThrow();
    function_->addFnAttr("target-cpu", target_.cpu);
    // A processor with fast gathers: the generic one makes AVX2 kernels gather by scalar loads, a fifth slower.
    if (target_.vector_bits >= 256) function_->addFnAttr("tune-cpu", "icelake-server");
    // Without these two LLVM splits 512-bit operations in halves.
    function_->addFnAttr("min-legal-vector-width", std::to_string(target_.vector_bits));
    function_->addFnAttr("prefer-vector-width", std::to_string(target_.vector_bits));
  }

  // Inputs don't change while a kernel runs, so their loads need not stay before the stores.
  llvm::Value* invariant(llvm::Instruction* load) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
    return load;
  }

  llvm::Value* base(unsigned which, unsigned field) {
    llvm::Value* slot = builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), function_->getArg(which), field);
    return invariant(builder_.CreateLoad(builder_.getPtrTy(), slot));
  }

  llvm::Value*& value(NodeId id) { return values_[id.index]; }

  void evaluate(NodeId id) {
    const ir::Node& node = kernel_.graph.node(id);
    if (node.op == Op::constant) {
      value(id) = constant(kernel_.graph.constant_value(id));
    } else if (node.op == Op::input) {
      value(id) = load(scheduled_.sources[node.payload]);
    } else {
      llvm::SmallVector<llvm::Value*, 3> operands;
      for (const NodeId operand : kernel_.graph.operands(id)) operands.push_back(value(operand));
      value(id) = apply(ir::describe(node.op), operands);
    }
  }

  // Rounded once when the kernel is in single precision.
  llvm::Constant* constant(double number) {
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), llvm::ConstantFP::get(scalar_, number));
  }

  llvm::Value* apply(const ir::Operator& row, llvm::ArrayRef<llvm::Value*> x) {
    const std::string word(row.llvm);
    switch (row.form) {
      case Form::arithmetic:
        return word == "fneg" ? builder_.CreateFNeg(x[0]) : builder_.CreateBinOp(opcode(word), x[0], x[1]);
      case Form::intrinsic:
        return builder_.CreateUnaryIntrinsic(llvm::Function::lookupIntrinsicID(word), x[0]);
      case Form::library:
        return call(vector_function(word, precision_, target_), x);
      case Form::comparison:
        return builder_.CreateFCmp(predicate(word), x[0], x[1]);
      case Form::comparison_select:
        return builder_.CreateSelect(builder_.CreateFCmp(predicate(word), x[0], x[1]), x[0], x[1]);
      case Form::logic:
        return builder_.CreateBinOp(opcode(word), x[0],
                                    x.size() == 1 ? llvm::Constant::getAllOnesValue(x[0]->getType()) : x[1]);
      case Form::select:
        return builder_.CreateSelect(x[0], x[1], x[2]);
      case Form::leaf:
      case Form::composite:
      case Form::part:
      case Form::loop:
        break;
    }
    throw std::logic_error("no LLVM instruction for operator " + std::string(row.name));
  }

  static llvm::Instruction::BinaryOps opcode(const std::string& word) {
    static const std::map<std::string, llvm::Instruction::BinaryOps> words = {
        {"fadd", llvm::Instruction::FAdd}, {"fsub", llvm::Instruction::FSub}, {"fmul", llvm::Instruction::FMul},
        {"fdiv", llvm::Instruction::FDiv}, {"and", llvm::Instruction::And},   {"or", llvm::Instruction::Or},
        {"xor", llvm::Instruction::Xor}};
    return words.at(word);
  }
  static llvm::CmpInst::Predicate predicate(const std::string& word) {
    static const std::map<std::string, llvm::CmpInst::Predicate> words = {{"olt", llvm::CmpInst::FCMP_OLT},
                                                                          {"ole", llvm::CmpInst::FCMP_OLE},
                                                                          {"oeq", llvm::CmpInst::FCMP_OEQ},
                                                                          {"ogt", llvm::CmpInst::FCMP_OGT}};
    return words.at(word);
  }

  llvm::Value* call(const std::string& name, llvm::ArrayRef<llvm::Value*> x) {
    const std::vector<llvm::Type*> types(x.size(), vector_);
    auto callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(vector_, types, /*vararg=*/false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->addFnAttr(llvm::Attribute::WillReturn);
    return builder_.CreateCall(callee, x);
  }

  llvm::Value* load(const Source& source) {
    const ir::Field& field = kernel_.inputs[source.field];
    llvm::Value* pointer = inputs_[source.field];
    switch (field.access) {
      case Access::uniform: {
        llvm::Value* at = builder_.CreateConstInBoundsGEP1_64(scalar_, pointer, source.scalar);
        return builder_.CreateVectorSplat(lanes_, invariant(builder_.CreateLoad(scalar_, at)));
      }
      case Access::element:
        return invariant(
            builder_.CreateAlignedLoad(vector_, element(pointer, field, source.scalar), register_alignment()));
      case Access::nodal:
        return gather(source, field);
    }
    throw std::logic_error("unknown access of field " + field.name);
  }

  void store(std::uint32_t result, llvm::Value* number) {
    std::uint32_t field = 0;
    while (result >= kernel_.outputs[field].components) result -= kernel_.outputs[field++].components;
    builder_.CreateAlignedStore(number, element(outputs_[field], kernel_.outputs[field], result), register_alignment());
  }

  llvm::Align register_alignment() const { return llvm::Align(static_cast<std::uint64_t>(target_.vector_bits / 8)); }

  // Component `component` of this tile in an element field: [tile][component][lane].
  llvm::Value* element(llvm::Value* pointer, const ir::Field& field, std::uint32_t component) {
    llvm::Value* first = builder_.CreateMul(tile_, builder_.getInt64(field.components), "", true, true);
    llvm::Value* row = builder_.CreateAdd(first, builder_.getInt64(component), "", true, true);
    return builder_.CreateInBoundsGEP(vector_, pointer, row);
  }

  llvm::Value* gather(const Source& source, const ir::Field& field) {
    const std::uint32_t corner = source.scalar / field.components;
    const std::uint32_t component = source.scalar % field.components;
    llvm::Value* first = builder_.CreateConstInBoundsGEP1_64(scalar_, inputs_[source.field], component);
    llvm::Value* pointers = builder_.CreateGEP(scalar_, first, node_offsets(corner, field.components));
    const llvm::Align alignment(scalar_->getPrimitiveSizeInBits() / 8);
    return builder_.CreateMaskedGather(vector_, pointers, alignment);
  }

  // Where the nodes of a corner start in a nodal field, in scalars. 32 bits, since gathers by 64-bit offsets take two
  // instructions where there are more than eight lanes.
  llvm::Value* node_offsets(std::uint32_t corner, std::uint32_t components) {
    llvm::Value*& offsets = node_offsets_[{corner, components}];
    if (offsets == nullptr) {
      auto* type = llvm::FixedVectorType::get(builder_.getInt32Ty(), lanes_);
      llvm::Value* first = builder_.CreateMul(tile_, builder_.getInt64(kernel_.corners), "", true, true);
      llvm::Value* row = builder_.CreateAdd(first, builder_.getInt64(corner), "", true, true);
      llvm::Value* numbers = invariant(builder_.CreateAlignedLoad(
          type, builder_.CreateInBoundsGEP(type, argument(node_list), row), llvm::Align(4 * lanes_)));
      llvm::Value* stride = builder_.CreateVectorSplat(lanes_, builder_.getInt32(components));
      offsets = builder_.CreateMul(numbers, stride, "", true, true);
    }
    return offsets;
  }

  const ScheduledKernel& scheduled_;
  const ir::Kernel& kernel_;
  const Precision precision_;
  const Target& target_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  const unsigned lanes_;
  llvm::Type* scalar_;
  llvm::FixedVectorType* vector_;
  llvm::Function* function_ = nullptr;
  std::vector<llvm::Value*> inputs_, outputs_;  // base pointers by field
  llvm::Value* tile_ = nullptr;
  std::vector<llvm::Value*> values_;                                              // by node
  std::map<std::pair<std::uint32_t, std::uint32_t>, llvm::Value*> node_offsets_;  // by corner and components
};

}  // namespace

void print_kernel(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module) {
  Printer(scheduled, precision, target, module).print();
}

std::string vector_function(const std::string& name, Precision precision, const Target& target) {
  const char* instructions = target.vector_bits == 512 ? "avx512f" : target.vector_bits == 256 ? "avx2" : "sse2";
  return "Sleef_" + name + (precision == Precision::fp64 ? "d" : "f") + std::to_string(target.lanes(precision)) +
         "_u10" + instructions;
}

}  // namespace proxima::emit
