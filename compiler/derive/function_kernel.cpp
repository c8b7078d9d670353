#include "compiler/derive/function_kernel.hpp"

#include <optional>

#include "compiler/derive/exact_quotients.hpp"
#include "compiler/derive/kernel_builder.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::derive {

ir::Kernel function_kernel(const ir::Function& function, FunctionQuantity quantity, FunctionItems items) {
  const bool pull_back = quantity == FunctionQuantity::pull_back;
  KernelBuilder builder(function.name + (pull_back ? ".pull_back" : ".value"), 0);
  const ir::Access of_item = items == FunctionItems::many ? ir::Access::element : ir::Access::uniform;
  ir::Graph& graph = builder.graph;
  Nodes slots;
  const auto declare = [&](const std::string& name, ir::Access access, std::uint32_t components) {
    const Nodes nodes = builder.input(name, access, components);
    slots.insert(slots.end(), nodes.begin(), nodes.end());
  };
  for (const auto& input : function.inputs) declare("input:" + input.name, of_item, input.components);
  for (const auto& parameter : function.parameters)
    declare("parameter:" + parameter.name, ir::Access::uniform, parameter.components());

  ir::Graph formulas = function.graph;
  const Nodes exact = with_exact_quotients(formulas, roots_of(function));
  const Nodes values = ir::transplant(formulas, exact, graph, slots);
  std::optional<ir::Expression> sum;
  std::size_t next = 0;
  for (const auto& output : function.outputs) {
    const Nodes roots(values.begin() + static_cast<std::ptrdiff_t>(next),
                      values.begin() + static_cast<std::ptrdiff_t>(next + output.roots.size()));
    next += roots.size();
    if (!pull_back) {
      builder.output("output:" + output.name, roots);
      continue;
    }
    const Nodes bars = builder.input("bar:" + output.name, of_item, static_cast<std::uint32_t>(roots.size()));
    for (std::size_t k = 0; k < roots.size(); ++k) {
      const ir::Expression term = ir::Expression{&graph, roots[k]} * ir::Expression{&graph, bars[k]};
      sum = sum ? *sum + term : term;
    }
  }
  if (!pull_back) return builder.finish();

  const Nodes derivatives = gradient(graph, sum->node, slots);
  std::size_t at = 0;
  const auto give = [&](const std::string& name, std::size_t components) {
    builder.output(name, Nodes(derivatives.begin() + static_cast<std::ptrdiff_t>(at),
                               derivatives.begin() + static_cast<std::ptrdiff_t>(at + components)));
    at += components;
  };
  for (const auto& input : function.inputs) give("input:" + input.name, input.components);
  for (const auto& parameter : function.parameters) give("parameter:" + parameter.name, parameter.components());
  return builder.finish();
}

}  // namespace proxima::derive
