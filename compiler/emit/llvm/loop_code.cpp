#include "compiler/emit/llvm/loop_code.hpp"

#include "compiler/emit/llvm/graph_code.hpp"

namespace proxima::emit {
namespace {

class Body : public GraphCode {
 public:
  Body(VectorCode& code, const ScheduledLoop& scheduled, std::vector<llvm::Value*> inputs)
      : GraphCode(code, *scheduled.loop->body, scheduled.loops), inputs_(std::move(inputs)) {}

 protected:
  llvm::Value* input(std::uint32_t slot) override { return inputs_.at(slot); }

 private:
  const std::vector<llvm::Value*> inputs_;
};

// Whether a truth value holds in any lane.
llvm::Value* any(VectorCode& code, llvm::Value* truth) {
  llvm::Type* bits = code.builder.getIntNTy(code.lanes);
  return code.builder.CreateICmpNE(code.builder.CreateBitCast(truth, bits), llvm::Constant::getNullValue(bits));
}

}  // namespace

std::vector<llvm::Value*> print_loop(VectorCode& code, const ScheduledLoop& scheduled,
                                     llvm::ArrayRef<llvm::Value*> operands) {
  const ir::Loop& loop = *scheduled.loop;
  const std::size_t carried = loop.next.size();
  if (loop.max_trips == 0) return {operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(carried)};

  auto& builder = code.builder;
  llvm::BasicBlock* entry = builder.GetInsertBlock();
  llvm::Function* function = entry->getParent();
  auto* test = llvm::BasicBlock::Create(builder.getContext(), "trip", function);
  auto* advance = llvm::BasicBlock::Create(builder.getContext(), "advance", function);
  auto* done = llvm::BasicBlock::Create(builder.getContext(), "left", function);

  // The carried values at the head of each trip.
  builder.SetInsertPoint(test);
  std::vector<llvm::Value*> inputs(operands.begin(), operands.end());
  std::vector<llvm::PHINode*> at_head;
  llvm::PHINode* trip = builder.CreatePHI(builder.getInt32Ty(), 2);
  for (std::size_t k = 0; k < carried; ++k) {
    at_head.push_back(builder.CreatePHI(code.vector, 2));
    inputs[k] = at_head.back();
  }
  Body body(code, scheduled, std::move(inputs));

  builder.SetInsertPoint(entry);
  body.take(scheduled.before);
  entry = builder.GetInsertBlock();
  builder.CreateBr(test);

  builder.SetInsertPoint(test);
  body.take(scheduled.test);
  llvm::Value* goes_on = body.value(loop.again);
  llvm::BasicBlock* tested = builder.GetInsertBlock();
  builder.CreateCondBr(any(code, goes_on), advance, done);

  builder.SetInsertPoint(advance);
  body.take(scheduled.advance);
  std::vector<llvm::Value*> next;
  for (std::size_t k = 0; k < carried; ++k)
    next.push_back(builder.CreateSelect(goes_on, body.value(loop.next[k]), at_head[k]));
  llvm::Value* trips = builder.CreateAdd(trip, builder.getInt32(1), "", true, true);
  llvm::BasicBlock* advanced = builder.GetInsertBlock();
  builder.CreateCondBr(builder.CreateICmpULT(trips, builder.getInt32(loop.max_trips)), test, done);

  trip->addIncoming(builder.getInt32(0), entry);
  trip->addIncoming(trips, advanced);
  builder.SetInsertPoint(done);
  std::vector<llvm::Value*> results;
  for (std::size_t k = 0; k < carried; ++k) {
    at_head[k]->addIncoming(operands[k], entry);
    at_head[k]->addIncoming(next[k], advanced);
    llvm::PHINode* result = builder.CreatePHI(code.vector, 2);
    result->addIncoming(at_head[k], tested);
    result->addIncoming(next[k], advanced);
    results.push_back(result);
  }
  return results;
}

}  // namespace proxima::emit
