#include "compiler/emit/llvm/print.hpp"

#include <llvm/IR/Module.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "compiler/emit/chunks.hpp"
#include "compiler/emit/llvm/field_code.hpp"
#include "compiler/emit/llvm/vector_code.hpp"

namespace proxima::emit {
namespace {

using ir::NodeId;
using ir::Op;

class Printer {
 public:
  Printer(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module)
      : scheduled_(scheduled),
        kernel_(*scheduled.kernel),
        chunks_(cut(scheduled, longest_function)),
        code_(precision, target, module),
        builder_(code_.builder) {}

  void print() {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Type* integer = builder_.getInt64Ty();
    auto* kernel = code_.function(kernel_symbol, {pointer, pointer, pointer, integer, integer},
                                  llvm::GlobalValue::ExternalLinkage);
    if (chunks_.once.size() <= 1 && chunks_.each_tile.size() <= 1) {
      enter(kernel);
      print_loop(kernel, [&] { take(scheduled_.once); }, [&](llvm::Value*) { take(scheduled_.each_tile); });
      return;
    }
    check_workspace();
    std::vector<llvm::Function*> once, each_tile;
    for (const auto steps : chunks_.once) once.push_back(print_chunk(steps));
    for (const auto steps : chunks_.each_tile) each_tile.push_back(print_chunk(steps));
    enter(kernel);
    auto* workspace = builder_.CreateAlloca(code_.vector, builder_.getInt32(chunks_.slot_count));
    workspace->setAlignment(code_.register_alignment());
    const auto call = [&](llvm::Function* chunk, llvm::Value* tile) {
      builder_.CreateCall(chunk, {kernel->getArg(0), kernel->getArg(1), kernel->getArg(2), tile, workspace});
    };
    print_loop(
        kernel,
        [&] {
          for (llvm::Function* chunk : once) call(chunk, builder_.getInt64(0));
        },
        [&](llvm::Value* tile) {
          for (llvm::Function* chunk : each_tile) call(chunk, tile);
        });
  }

 private:
  // It lies on the stack of a thread, which may be one of a pool with 4 MB.
  void check_workspace() const {
    const std::size_t bytes = std::size_t{chunks_.slot_count} * static_cast<std::size_t>(code_.target.vector_bits / 8);
    if (bytes > 3u << 20u)
      throw std::length_error(kernel_.name + ": too long to be compiled: " + std::to_string(chunks_.slot_count) +
                              " intermediate values must be kept at once, for which " +
                              std::to_string((3u << 23u) / static_cast<unsigned>(code_.target.vector_bits)) +
                              " places are there; split the energy into a sum of shorter ones");
  }

  // Starts a function: nothing has a value in it yet.
  void enter(llvm::Function* function) {
    builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "entry", function));
    fields_.emplace(code_, scheduled_, function);
    values_.assign(kernel_.graph.size(), nullptr);
    workspace_ = nullptr;
  }

  template <class Before, class Body>
  void print_loop(llvm::Function* kernel, const Before& before, const Body& body) {
    llvm::Value *begin = kernel->getArg(3), *end = kernel->getArg(4);
    auto* loop = llvm::BasicBlock::Create(builder_.getContext(), "tile", kernel);
    auto* done = llvm::BasicBlock::Create(builder_.getContext(), "done", kernel);
    before();
    auto* entry = builder_.GetInsertBlock();
    builder_.CreateCondBr(builder_.CreateICmpSLT(begin, end), loop, done);

    builder_.SetInsertPoint(loop);
    llvm::PHINode* tile = builder_.CreatePHI(builder_.getInt64Ty(), 2, "tile");
    tile->addIncoming(begin, entry);
    fields_->at_tile(tile);
    body(tile);
    llvm::Value* next = builder_.CreateAdd(tile, builder_.getInt64(1), "", true, true);
    tile->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpSLT(next, end), loop, done);

    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
  }

  // A function of (inputs, outputs, nodes, tile, workspace).
  llvm::Function* print_chunk(std::span<const Step> steps) {
    llvm::Type* pointer = builder_.getPtrTy();
    auto* function = code_.function("chunk", {pointer, pointer, pointer, builder_.getInt64Ty(), pointer},
                                    llvm::GlobalValue::InternalLinkage);
    function->addParamAttr(4, llvm::Attribute::NoAlias);
    enter(function);
    workspace_ = function->getArg(4);
    fields_->at_tile(function->getArg(3));
    take(steps);
    builder_.CreateRetVoid();
    return function;
  }

  void take(std::span<const Step> steps) {
    for (const Step& step : steps) {
      if (step.kind == Step::Kind::evaluate)
        evaluate(step.node);
      else
        fields_->store(step.result, value(step.node));
    }
  }

  void evaluate(NodeId id) {
    const ir::Node& node = kernel_.graph.node(id);
    if (node.op == Op::constant) return;  // where it is used
    if (node.op == Op::input) {
      values_[id.index] = fields_->load(scheduled_.sources[node.payload]);
    } else {
      llvm::SmallVector<llvm::Value*, 3> operands;
      for (const NodeId operand : kernel_.graph.operands(id)) operands.push_back(value(operand));
      values_[id.index] = code_.apply(ir::describe(node.op), operands);
    }
    if (workspace_ != nullptr && chunks_.slots[id.index] != Chunks::no_slot) save(id);
  }

  // A value of this function, or one that an earlier chunk has saved.
  llvm::Value* value(NodeId id) {
    llvm::Value*& known = values_[id.index];
    if (known == nullptr)
      known = kernel_.graph.is_constant(id) ? code_.constant(kernel_.graph.constant_value(id)) : restore(id);
    return known;
  }

  // Truth values are kept as integers: vectors of single bits have no layout that processors like.
  void save(NodeId id) {
    llvm::Value* kept = values_[id.index];
    if (kernel_.graph.type(id) == ir::Type::truth) kept = builder_.CreateSExt(kept, code_.integers);
    builder_.CreateAlignedStore(kept, slot(id), code_.register_alignment());
  }
  llvm::Value* restore(NodeId id) {
    if (kernel_.graph.type(id) == ir::Type::number)
      return builder_.CreateAlignedLoad(code_.vector, slot(id), code_.register_alignment());
    llvm::Value* kept = builder_.CreateAlignedLoad(code_.integers, slot(id), code_.register_alignment());
    return builder_.CreateICmpSLT(kept, llvm::Constant::getNullValue(code_.integers));
  }
  llvm::Value* slot(NodeId id) {
    return builder_.CreateConstInBoundsGEP1_64(code_.vector, workspace_, chunks_.slots[id.index]);
  }

  const ScheduledKernel& scheduled_;
  const ir::Kernel& kernel_;
  const Chunks chunks_;
  VectorCode code_;
  llvm::IRBuilder<>& builder_;
  // Of the function being printed:
  std::optional<FieldCode> fields_;
  std::vector<llvm::Value*> values_;  // by node
  llvm::Value* workspace_ = nullptr;  // only in chunks
};

}  // namespace

void print_kernel(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module) {
  Printer(scheduled, precision, target, module).print();
}

}  // namespace proxima::emit
