#include "compiler/ir/interpreter.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {

template <class Number>
Interpreter<Number>::Interpreter(const Graph& graph, std::span<const NodeId> outputs) {
  const std::vector<bool> live = live_nodes(graph, outputs);
  std::vector<std::uint32_t> place(graph.size());
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (!live[i]) continue;
    const NodeId id{i};
    const Node& node = graph.node(id);
    place[i] = static_cast<std::uint32_t>(values_.size());
    values_.push_back(node.op == Op::constant ? static_cast<Number>(graph.constant_value(id)) : Number(0));
    if (node.op == Op::constant) continue;
    if (node.op == Op::input) {
      loads_.push_back({static_cast<std::uint32_t>(node.payload), place[i]});
      continue;
    }
    Step step{nullptr, {}, node.arity, place[i]};
    if constexpr (std::is_same_v<Number, double>)
      step.evaluate = describe(node.op).evaluate;
    else
      step.evaluate = describe(node.op).evaluate_extended;
    for (std::uint32_t k = 0; k < node.arity; ++k) step.operands[k] = place[graph.operands(id)[k].index];
    steps_.push_back(step);
  }
  for (NodeId output : outputs) output_values_.push_back(place[output.index]);
  outputs_.resize(outputs.size());
}

template <class Number>
std::span<const Number> Interpreter<Number>::operator()(std::span<const Number> inputs) {
  for (const Load& load : loads_) {
    if (load.slot >= inputs.size())
      throw std::logic_error("interpreter: input " + std::to_string(load.slot) + " is needed, but only " +
                             std::to_string(inputs.size()) + " values are given");
    values_[load.result] = inputs[load.slot];
  }
  for (const Step& step : steps_) {
    Number operands[3] = {};
    for (std::uint32_t k = 0; k < step.arity; ++k) operands[k] = values_[step.operands[k]];
    values_[step.result] = step.evaluate(operands);
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) outputs_[k] = values_[output_values_[k]];
  return outputs_;
}

template <class Number>
std::vector<Number> evaluate(const Graph& graph, std::span<const NodeId> outputs, std::span<const Number> inputs) {
  Interpreter<Number> interpreter(graph, outputs);
  const auto values = interpreter(inputs);
  return {values.begin(), values.end()};
}

template <class Number>
std::vector<Number> evaluate(const Kernel& kernel, std::span<const Number> inputs) {
  return evaluate<Number>(kernel.graph, kernel.results, inputs);
}

template class Interpreter<double>;
template class Interpreter<long double>;
template std::vector<double> evaluate(const Graph&, std::span<const NodeId>, std::span<const double>);
template std::vector<long double> evaluate(const Graph&, std::span<const NodeId>, std::span<const long double>);
template std::vector<double> evaluate(const Kernel&, std::span<const double>);
template std::vector<long double> evaluate(const Kernel&, std::span<const long double>);

}  // namespace proxima::ir
