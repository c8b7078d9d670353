#include "compiler/emit/llvm/print.hpp"

#include <llvm/IR/Module.h>

#include "compiler/emit/chunks.hpp"
#include "compiler/emit/llvm/field_code.hpp"
#include "compiler/emit/llvm/graph_code.hpp"
#include "compiler/emit/llvm/vector_code.hpp"
#include "compiler/emit/llvm/workspace.hpp"

namespace proxima::emit {
namespace {

using ir::NodeId;

// The kernel's own graph in one function: inputs and results are fields; in a chunk (`workspace` is not null) values go
// from one function to another through their slots.
class KernelCode : public GraphCode {
 public:
  // At the builder's place, which must come before all that is printed later.
  KernelCode(VectorCode& code, const ScheduledKernel& scheduled, const Chunks& chunks, llvm::Function* function,
             llvm::Value* workspace)
      : GraphCode(code, scheduled.kernel->graph, scheduled.loops),
        code_(code),
        scheduled_(scheduled),
        graph_(scheduled.kernel->graph),
        chunks_(chunks),
        fields_(code, scheduled, function),
        workspace_(workspace) {}
  void at_tile(llvm::Value* tile) { fields_.at_tile(tile); }

 protected:
  llvm::Value* input(std::uint32_t slot) override { return fields_.load(scheduled_.sources[slot]); }
  void store(std::uint32_t result, llvm::Value* number) override { fields_.store(result, number); }

  void made(NodeId id, llvm::Value* value) override {
    if (workspace_ != nullptr && chunks_.slots[id.index] != Chunks::no_slot)
      keep(code_, workspace_, chunks_.slots[id.index], value);
  }
  llvm::Value* missing(NodeId id) override {
    if (workspace_ == nullptr) return GraphCode::missing(id);
    return kept(code_, workspace_, chunks_.slots[id.index], graph_.type(id));
  }

 private:
  VectorCode& code_;
  const ScheduledKernel& scheduled_;
  const ir::Graph& graph_;
  const Chunks& chunks_;
  FieldCode fields_;
  llvm::Value* const workspace_;
};

class Printer {
 public:
  Printer(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module)
      : scheduled_(scheduled),
        chunks_(cut(scheduled, longest_function)),
        code_(precision, target, module),
        builder_(code_.builder) {}

  void print() {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Type* integer = builder_.getInt64Ty();
    auto* kernel = code_.function(kernel_symbol, {pointer, pointer, pointer, integer, integer},
                                  llvm::GlobalValue::ExternalLinkage);
    if (chunks_.whole())
      print_whole(kernel);
    else
      print_split(kernel);
  }

 private:
  void print_whole(llvm::Function* kernel) {
    enter(kernel);
    KernelCode values(code_, scheduled_, chunks_, kernel, nullptr);
    values.take(scheduled_.once);
    print_tiles(kernel, [&](llvm::Value* tile) {
      values.at_tile(tile);
      values.take(scheduled_.each_tile);
    });
  }

  void print_split(llvm::Function* kernel) {
    enter(kernel);
    llvm::Value* workspace = make_workspace(code_, chunks_.slot_count);
    llvm::BasicBlock* entry = builder_.GetInsertBlock();
    std::vector<llvm::Function*> once, each_tile;
    for (const auto steps : chunks_.sections[0]) once.push_back(print_chunk(steps));
    for (const auto steps : chunks_.sections[1]) each_tile.push_back(print_chunk(steps));
    builder_.SetInsertPoint(entry);
    const auto call = [&](const std::vector<llvm::Function*>& chunks, llvm::Value* tile) {
      for (llvm::Function* chunk : chunks)
        builder_.CreateCall(chunk, {kernel->getArg(0), kernel->getArg(1), kernel->getArg(2), tile, workspace});
    };
    call(once, builder_.getInt64(0));
    print_tiles(kernel, [&](llvm::Value* tile) { call(each_tile, tile); });
  }

  void enter(llvm::Function* function) {
    builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "entry", function));
  }

  // The loop over the tiles, and the end of the function.
  template <class Body>
  void print_tiles(llvm::Function* kernel, const Body& body) {
    llvm::Value *begin = kernel->getArg(3), *end = kernel->getArg(4);
    auto* entry = builder_.GetInsertBlock();
    auto* loop = llvm::BasicBlock::Create(builder_.getContext(), "tile", kernel);
    auto* done = llvm::BasicBlock::Create(builder_.getContext(), "done", kernel);
    builder_.CreateCondBr(builder_.CreateICmpSLT(begin, end), loop, done);

    builder_.SetInsertPoint(loop);
    llvm::PHINode* tile = builder_.CreatePHI(builder_.getInt64Ty(), 2, "tile");
    tile->addIncoming(begin, entry);
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
    KernelCode values(code_, scheduled_, chunks_, function, function->getArg(4));
    values.at_tile(function->getArg(3));
    values.take(steps);
    builder_.CreateRetVoid();
    return function;
  }

  const ScheduledKernel& scheduled_;
  const Chunks chunks_;
  VectorCode code_;
  llvm::IRBuilder<>& builder_;
};

}  // namespace

void print_kernel(const ScheduledKernel& scheduled, Precision precision, const Target& target, llvm::Module& module) {
  Printer(scheduled, precision, target, module).print();
}

}  // namespace proxima::emit
