// Evaluation of a graph node by node: the oracle that every kernel on every target is compared with. In double it does
// exactly the operations written in the graph, in that precision; long double serves finite differences in tests.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::ir {

// Prepared once for the chosen outputs, then evaluated for as many inputs as one likes. Keeps no reference to the
// graph. Number is double or long double. One object serves one thread at a time.
template <class Number>
class Interpreter {
 public:
  Interpreter(const Graph& graph, std::span<const NodeId> outputs);

  // inputs[slot] is the value of input number `slot`; truth values come out as 0 and 1. The result is valid until the
  // next call. Throws std::logic_error when an input that is needed has no value.
  std::span<const Number> operator()(std::span<const Number> inputs);

 private:
  struct Step {
    Number (*evaluate)(const Number*) = nullptr;
    void (*evaluate_parts)(const Number*, Number*) = nullptr;
    std::shared_ptr<Interpreter> body;  // of a loop: gives `next`, then `again`
    std::uint32_t carried = 0, max_trips = 0;
    std::uint32_t first_operand = 0, operands = 0;  // into operands_
    std::uint32_t result = 0;                       // the first of its values
  };
  struct Load {
    std::uint32_t slot, result;
  };
  void run_loop(const Step& step);

  std::vector<Load> loads_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> operands_;  // places in values_
  std::vector<std::uint32_t> output_values_;
  std::vector<Number> values_;
  std::vector<Number> arguments_;
  std::vector<Number> outputs_;
};

// Once, for one set of inputs.
template <class Number>
std::vector<Number> evaluate(const Graph& graph, std::span<const NodeId> outputs, std::span<const Number> inputs);

// A kernel for one element: all input scalars in the order of its fields, all output scalars in the order of `results`.
template <class Number>
std::vector<Number> evaluate(const Kernel& kernel, std::span<const Number> inputs);

extern template class Interpreter<double>;
extern template class Interpreter<long double>;

}  // namespace proxima::ir
