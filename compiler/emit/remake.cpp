#include "compiler/emit/remake.hpp"

#include <algorithm>

#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Form;
using ir::NodeId;
using ir::Op;

class Remake {
 public:
  Remake(const ScheduledKernel& scheduled, int far)
      : scheduled_(scheduled), graph_(scheduled.kernel->graph), far_(far), known_(graph_.size()), last_(graph_.size()) {
    for (const Step& step : scheduled.once) known_[step.node.index] = true;
  }

  std::vector<Step> steps() {
    for (const Step& step : scheduled_.each_tile) {
      ++now_;
      if (step.kind == Step::Kind::store) {
        use(step.node);
      } else {
        for (const NodeId operand : graph_.operands(step.node)) use(operand);
        const Form form = ir::describe(graph_.node(step.node).op).form;
        if (form == Form::composite || form == Form::loop) now_ += far_;
      }
      steps_.push_back(step);
      last_[step.node.index] = now_;
    }
    return std::move(steps_);
  }

 private:
  bool is_known(NodeId id) const { return known_[id.index] || graph_.node(id).op == Op::constant; }
  bool is_input(NodeId id) const { return graph_.node(id).op == Op::input && !known_[id.index]; }

  // An input, or one of the cheapest operations of inputs and what is known anyway.
  bool is_cheap(NodeId id) const {
    if (is_known(id)) return false;
    if (is_input(id)) return true;
    const ir::Operator& row = ir::describe(graph_.node(id).op);
    const bool simple = row.form != Form::composite && row.form != Form::loop && row.form != Form::part;
    return simple && row.cost <= 1 && std::ranges::all_of(graph_.operands(id), [&](NodeId operand) {
             return is_input(operand) || is_known(operand);
           });
  }

  void use(NodeId id) {
    int& last = last_[id.index];
    if (last > 0 && now_ - last > far_ && is_cheap(id)) {
      for (const NodeId operand : graph_.operands(id))
        if (is_input(operand)) use(operand);
      steps_.push_back({Step::Kind::evaluate, id, 0});
    }
    last = now_;
  }

  const ScheduledKernel& scheduled_;
  const ir::Graph& graph_;
  const int far_;
  std::vector<bool> known_;  // by node: before any element
  std::vector<int> last_;    // by node: when it was made or used last, 0 for never
  int now_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> with_values_made_again(const ScheduledKernel& scheduled, int far) {
  return Remake(scheduled, far).steps();
}

}  // namespace proxima::emit
