#include "compiler/emit/llvm/loop_code.hpp"

#include <functional>

#include "compiler/emit/chunks.hpp"
#include "compiler/emit/llvm/graph_code.hpp"
#include "compiler/emit/llvm/print.hpp"
#include "compiler/emit/llvm/workspace.hpp"

namespace proxima::emit {
namespace {

using ir::NodeId;
using Values = std::vector<llvm::Value*>;

// Whether a truth value holds in any lane.
llvm::Value* any(VectorCode& code, llvm::Value* truth) {
  llvm::Type* bits = code.builder.getIntNTy(code.lanes);
  return code.builder.CreateICmpNE(code.builder.CreateBitCast(truth, bits), llvm::Constant::getNullValue(bits));
}

// The frame of every loop: `test` at the head of each trip gives the condition, `advance` goes on to the next; then the
// builder is after the loop. Both are printed in this order.
struct Frame {
  llvm::BasicBlock *entry, *head, *tested, *advanced, *done;
};
Frame print_frame(VectorCode& code, std::uint32_t max_trips, const std::function<llvm::Value*()>& test,
                  const std::function<void()>& advance) {
  auto& builder = code.builder;
  Frame frame{};
  frame.entry = builder.GetInsertBlock();
  llvm::Function* function = frame.entry->getParent();
  frame.head = llvm::BasicBlock::Create(builder.getContext(), "trip", function);
  auto* advancing = llvm::BasicBlock::Create(builder.getContext(), "advance", function);
  frame.done = llvm::BasicBlock::Create(builder.getContext(), "left", function);
  builder.CreateBr(frame.head);

  builder.SetInsertPoint(frame.head);
  llvm::PHINode* trip = builder.CreatePHI(builder.getInt32Ty(), 2);
  llvm::Value* goes_on = any(code, test());
  frame.tested = builder.GetInsertBlock();
  builder.CreateCondBr(goes_on, advancing, frame.done);

  builder.SetInsertPoint(advancing);
  advance();
  llvm::Value* trips = builder.CreateAdd(trip, builder.getInt32(1), "", true, true);
  frame.advanced = builder.GetInsertBlock();
  builder.CreateCondBr(builder.CreateICmpULT(trips, builder.getInt32(max_trips)), frame.head, frame.done);
  trip->addIncoming(builder.getInt32(0), frame.entry);
  trip->addIncoming(trips, frame.advanced);
  builder.SetInsertPoint(frame.done);
  return frame;
}

class Body : public GraphCode {
 public:
  Body(VectorCode& code, const ScheduledLoop& scheduled, Values inputs)
      : GraphCode(code, *scheduled.loop->body, scheduled.loops), inputs_(std::move(inputs)) {}
  void set_input(std::size_t slot, llvm::Value* value) { inputs_[slot] = value; }

 protected:
  llvm::Value* input(std::uint32_t slot) override { return inputs_.at(slot); }

 private:
  Values inputs_;
};

// With the carried values in registers.
Values print_short_loop(VectorCode& code, const ScheduledLoop& scheduled, llvm::ArrayRef<llvm::Value*> operands) {
  const ir::Loop& loop = *scheduled.loop;
  Body body(code, scheduled, {operands.begin(), operands.end()});
  body.take(scheduled.before);
  llvm::Value* goes_on = nullptr;
  std::vector<llvm::PHINode*> at_head;
  Values next;
  const Frame frame = print_frame(
      code, loop.max_trips,
      [&] {
        for (std::size_t k = 0; k < loop.next.size(); ++k) {
          at_head.push_back(code.builder.CreatePHI(code.vector, 2));
          body.set_input(k, at_head.back());
        }
        body.take(scheduled.test);
        return goes_on = body.value(loop.again);
      },
      [&] {
        body.take(scheduled.advance);
        for (std::size_t k = 0; k < loop.next.size(); ++k)
          next.push_back(code.builder.CreateSelect(goes_on, body.value(loop.next[k]), at_head[k]));
      });
  Values results;
  for (std::size_t k = 0; k < loop.next.size(); ++k) {
    at_head[k]->addIncoming(operands[k], frame.entry);
    at_head[k]->addIncoming(next[k], frame.advanced);
    llvm::PHINode* result = code.builder.CreatePHI(code.vector, 2);
    result->addIncoming(at_head[k], frame.tested);
    result->addIncoming(next[k], frame.advanced);
    results.push_back(result);
  }
  return results;
}

// The body in one of several functions: all that another one may need lies in the workspace, inputs first.
class BodyChunk : public GraphCode {
 public:
  BodyChunk(VectorCode& code, const ScheduledLoop& scheduled, const Chunks& chunks, std::uint32_t inputs,
            llvm::Value* workspace)
      : GraphCode(code, *scheduled.loop->body, scheduled.loops),
        code_(code),
        graph_(*scheduled.loop->body),
        chunks_(chunks),
        inputs_(inputs),
        workspace_(workspace) {}

 protected:
  llvm::Value* input(std::uint32_t slot) override { return kept(code_, workspace_, slot, ir::Type::number); }
  void made(NodeId id, llvm::Value* value) override {
    if (const std::uint32_t slot = chunks_.slots[id.index]; slot != Chunks::no_slot)
      keep(code_, workspace_, inputs_ + slot, value);
  }
  llvm::Value* missing(NodeId id) override {
    const ir::Node& node = graph_.node(id);
    if (node.op == ir::Op::input) return input(static_cast<std::uint32_t>(node.payload));
    return kept(code_, workspace_, inputs_ + chunks_.slots[id.index], graph_.type(id));
  }

 private:
  VectorCode& code_;
  const ir::Graph& graph_;
  const Chunks& chunks_;
  const std::uint32_t inputs_;
  llvm::Value* const workspace_;
};

// With the body in functions of their own and the carried values in memory.
Values print_long_loop(VectorCode& code, const ScheduledLoop& scheduled, llvm::ArrayRef<llvm::Value*> operands) {
  auto& builder = code.builder;
  const ir::Loop& loop = *scheduled.loop;
  const Chunks chunks = cut(scheduled, longest_function);
  const auto inputs = static_cast<std::uint32_t>(operands.size());
  llvm::Value* workspace = make_workspace(code, inputs + chunks.slot_count);
  for (std::uint32_t k = 0; k < inputs; ++k) keep(code, workspace, k, operands[k]);

  const auto run = [&](std::size_t section) {
    for (const auto steps : chunks.sections[section]) {
      auto* function = code.function("body", {builder.getPtrTy()}, llvm::GlobalValue::InternalLinkage);
      function->addParamAttr(0, llvm::Attribute::NoAlias);
      {
        const llvm::IRBuilder<>::InsertPointGuard back(builder);
        builder.SetInsertPoint(llvm::BasicBlock::Create(builder.getContext(), "entry", function));
        BodyChunk(code, scheduled, chunks, inputs, function->getArg(0)).take(steps);
        builder.CreateRetVoid();
      }
      builder.CreateCall(function, {workspace});
    }
  };
  run(0);
  BodyChunk here(code, scheduled, chunks, inputs, workspace);
  llvm::Value* goes_on = nullptr;
  print_frame(
      code, loop.max_trips,
      [&] {
        run(1);
        return goes_on = here.value(loop.again);
      },
      [&] {
        run(2);
        Values next;  // all before the first is overwritten: they may be carried values themselves
        for (std::uint32_t k = 0; k < loop.next.size(); ++k)
          next.push_back(
              builder.CreateSelect(goes_on, here.value(loop.next[k]), kept(code, workspace, k, ir::Type::number)));
        for (std::uint32_t k = 0; k < loop.next.size(); ++k) keep(code, workspace, k, next[k]);
      });
  Values results;
  for (std::uint32_t k = 0; k < loop.next.size(); ++k) results.push_back(kept(code, workspace, k, ir::Type::number));
  return results;
}

}  // namespace

std::vector<llvm::Value*> print_loop(VectorCode& code, const ScheduledLoop& scheduled,
                                     llvm::ArrayRef<llvm::Value*> operands) {
  if (scheduled.loop->max_trips == 0)
    return {operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(scheduled.loop->next.size())};
  if (is_long(scheduled, longest_function)) return print_long_loop(code, scheduled, operands);
  return print_short_loop(code, scheduled, operands);
}

}  // namespace proxima::emit
