// Evaluation of a graph node by node: the oracle that every kernel on every target is compared with. In double it does
// exactly the operations written in the graph, in that precision; long double serves finite differences in tests.
#pragma once

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
    Number (*evaluate)(const Number*);
    std::uint32_t operands[3];
    std::uint32_t arity;
    std::uint32_t result;
  };
  struct Load {
    std::uint32_t slot, result;
  };
  std::vector<Load> loads_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> output_values_;
  std::vector<Number> values_;
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
