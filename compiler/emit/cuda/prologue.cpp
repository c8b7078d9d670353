#include "compiler/emit/cuda/prologue.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::emit {
namespace {

using ir::Access;
using ir::Graph;
using ir::NodeId;
using ir::Op;

class Division {
 public:
  explicit Division(const ir::Kernel& kernel)
      : kernel_(kernel), graph_(kernel.graph), uniform_(graph_.size()), chosen_(graph_.size()) {
    for (const ir::Field& field : kernel.inputs)
      uniform_slots_.insert(uniform_slots_.end(), kernel.scalars(field), field.access == Access::uniform);
    const std::vector<bool> live = live_nodes(graph_, kernel.results);
    for (std::uint32_t i = 0; i < graph_.size(); ++i)
      uniform_[i] = graph_.node({i}).op == Op::input
                        ? uniform_slots_.at(graph_.node({i}).payload)
                        : std::ranges::all_of(graph_.operands({i}), [&](NodeId of) { return uniform_[of.index]; });
    for (std::uint32_t i = 0; i < graph_.size(); ++i)
      if (live[i] && !uniform_[i])
        for (const NodeId operand : graph_.operands({i})) choose(operand);
    for (const NodeId result : kernel.results) choose(result);
  }

  ir::Kernel prologue() const {
    ir::Kernel made{.name = kernel_.name + ".computed",
                    .corners = 0,
                    .inputs = {},
                    .outputs = {{"computed", Access::element, computed()}},
                    .graph = {},
                    .results = {}};
    std::vector<NodeId> inputs(uniform_slots_.size());
    std::uint32_t slot = 0;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (uniform_slots_[k]) inputs[k] = made.graph.input(slot++);
    for (const ir::Field& field : kernel_.inputs)
      if (field.access == Access::uniform) made.inputs.push_back(field);
    made.results = transplant(graph_, roots_, made.graph, inputs);
    return made;
  }

  ir::Kernel rest() const {
    ir::Kernel made{.name = kernel_.name,
                    .corners = kernel_.corners,
                    .inputs = kernel_.inputs,
                    .outputs = kernel_.outputs,
                    .graph = {},
                    .results = {}};
    made.inputs.push_back({"computed", Access::uniform, computed()});
    std::map<NodeId, NodeId> given;
    for (std::size_t k = 0; k < roots_.size(); ++k)
      given[roots_[k]] = made.graph.input(static_cast<std::uint32_t>(uniform_slots_.size() + k));
    made.results = transplant(graph_, kernel_.results, made.graph, given);
    return made;
  }

  std::uint32_t computed() const { return static_cast<std::uint32_t>(roots_.size()); }

 private:
  // `id` is used by what is computed for each element: it is computed before, or what it is made of.
  void choose(NodeId id) {
    const ir::Operator& row = ir::describe(graph_.node(id).op);
    if (!uniform_[id.index] || chosen_[id.index] || row.form == ir::Form::leaf) return;
    chosen_[id.index] = true;
    if (graph_.type(id) == ir::Type::number && graph_.node(id).op != Op::neg)
      roots_.push_back(id);
    else
      for (const NodeId operand : graph_.operands(id)) choose(operand);
  }

  const ir::Kernel& kernel_;
  const Graph& graph_;
  std::vector<bool> uniform_slots_;
  std::vector<bool> uniform_, chosen_;  // by node; of constants too
  std::vector<NodeId> roots_;
};

}  // namespace

Divided divide(const ir::Kernel& kernel) {
  const Division division(kernel);
  return {division.prologue(), division.computed() == 0 ? kernel : division.rest()};
}

}  // namespace proxima::emit
