#include "compiler/emit/llvm/graph_code.hpp"

#include <stdexcept>

#include "compiler/emit/llvm/loop_code.hpp"

namespace proxima::emit {

using ir::NodeId;
using ir::Op;

void GraphCode::take(std::span<const Step> steps) {
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::store) {
      store(step.result, value(step.node));
    } else if (!graph_.is_constant(step.node)) {  // constants are made where they are used
      llvm::Value* result = values_[step.node.index] = evaluate(step.node);
      if (result != nullptr) made(step.node, result);
    }
  }
}

llvm::Value* GraphCode::evaluate(NodeId id) {
  const ir::Node& node = graph_.node(id);
  if (node.op == Op::input) return input(static_cast<std::uint32_t>(node.payload));
  if (node.op == Op::part) return last_loop_.at(node.payload);
  llvm::SmallVector<llvm::Value*, 3> operands;
  for (const NodeId operand : graph_.operands(id)) operands.push_back(value(operand));
  if (node.op != Op::loop) return code_.apply(ir::describe(node.op), operands);
  last_loop_ = print_loop(code_, loops_.at(node.payload), operands);
  return nullptr;
}

llvm::Value* GraphCode::value(NodeId id) {
  llvm::Value*& known = values_[id.index];
  if (known == nullptr) known = graph_.is_constant(id) ? code_.constant(graph_.constant_value(id)) : missing(id);
  return known;
}

llvm::Value* GraphCode::missing(NodeId) { throw std::logic_error("emit: a value is used before it is made"); }

void GraphCode::store(std::uint32_t, llvm::Value*) { throw std::logic_error("emit: this graph stores nothing"); }

}  // namespace proxima::emit
