// A user's function as a graph: what a controller or a loss computes, and the description of what it depends on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

struct FunctionInput {
  std::string name;
  std::uint32_t components = 0;
  SourceLocation where;
};

// Numbers that belong to the function: one, a vector or a matrix row by row. Each must satisfy lower < value < upper.
struct FunctionParameter {
  std::string name;
  std::string unit;  // SI symbol, "" for dimensionless
  std::vector<double> default_values;
  double lower;  // -inf when unbounded
  double upper;  // +inf when unbounded
  SourceLocation where;

  std::uint32_t components() const { return static_cast<std::uint32_t>(default_values.size()); }
};

struct FunctionOutput {
  std::string name;
  std::vector<NodeId> roots;  // one a component
  SourceLocation where;
};

// Inputs of the graph, in this order: the components of each input, those of each parameter.
struct Function {
  std::string name;  // as in PROXIMA_FUNCTION(name)
  std::string file;  // where it was written, for messages
  Graph graph;
  std::vector<FunctionInput> inputs;
  std::vector<FunctionParameter> parameters;
  std::vector<FunctionOutput> outputs;  // at least one
};

// The roots of all outputs, one after the other.
std::vector<NodeId> roots_of(const Function& function);

// The same function with each root replaced; `roots` as from roots_of, of `graph`.
Function with_roots(const Function& function, Graph graph, const std::vector<NodeId>& roots);

}  // namespace proxima::ir
