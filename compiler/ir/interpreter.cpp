#include "compiler/ir/interpreter.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::ir {

template <class Number>
Interpreter<Number>::Interpreter(const Graph& graph, std::span<const NodeId> outputs) {
  const std::vector<bool> live = live_nodes(graph, outputs);
  std::vector<std::uint32_t> place(graph.size());  // of the value, or of the first of a bundle
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (!live[i]) continue;
    const NodeId id{i};
    const Node& node = graph.node(id);
    if (node.op == Op::part) {
      place[i] = place[graph.operands(id)[0].index] + static_cast<std::uint32_t>(node.payload);
      continue;
    }
    place[i] = static_cast<std::uint32_t>(values_.size());
    if (node.op == Op::constant) {
      values_.push_back(static_cast<Number>(graph.constant_value(id)));
      continue;
    }
    const bool bundle = graph.type(id) == Type::bundle;
    values_.resize(values_.size() + (bundle ? graph.parts(id) : 1));
    if (node.op == Op::input) {
      loads_.push_back({static_cast<std::uint32_t>(node.payload), place[i]});
      continue;
    }
    const Operator& row = describe(node.op);
    Step step;
    step.first_operand = static_cast<std::uint32_t>(operands_.size());
    step.result = place[i];
    if constexpr (std::is_same_v<Number, double>) {
      step.evaluate = row.evaluate;
      step.evaluate_parts = row.evaluate_parts;
    } else {
      step.evaluate = row.evaluate_extended;
      step.evaluate_parts = row.evaluate_parts_extended;
    }
    if (node.op == Op::loop) {
      const Loop& loop = graph.loop_of(id);
      std::vector<NodeId> results = loop.next;
      results.push_back(loop.again);
      step.body = std::make_shared<Interpreter>(*loop.body, results);
      step.carried = static_cast<std::uint32_t>(loop.next.size());
      step.max_trips = loop.max_trips;
    }
    for (NodeId operand : graph.operands(id)) {
      const std::uint32_t count = graph.type(operand) == Type::bundle ? graph.parts(operand) : 1;
      for (std::uint32_t k = 0; k < count; ++k) operands_.push_back(place[operand.index] + k);
    }
    step.operands = static_cast<std::uint32_t>(operands_.size()) - step.first_operand;
    arguments_.resize(std::max<std::size_t>(arguments_.size(), step.operands));
    steps_.push_back(std::move(step));
  }
  for (NodeId output : outputs) output_values_.push_back(place[output.index]);
  outputs_.resize(outputs.size());
}

template <class Number>
void Interpreter<Number>::run_loop(const Step& step) {
  const std::span<Number> inputs = std::span(arguments_).first(step.operands);
  for (std::uint32_t trip = 0; trip < step.max_trips; ++trip) {
    const auto results = (*step.body)(inputs);
    if (results.back() == 0) break;
    std::copy_n(results.begin(), step.carried, inputs.begin());
  }
  std::copy_n(inputs.begin(), step.carried, values_.begin() + step.result);
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
    for (std::uint32_t k = 0; k < step.operands; ++k) arguments_[k] = values_[operands_[step.first_operand + k]];
    if (step.evaluate != nullptr)
      values_[step.result] = step.evaluate(arguments_.data());
    else if (step.evaluate_parts != nullptr)
      step.evaluate_parts(arguments_.data(), &values_[step.result]);
    else
      run_loop(step);
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
