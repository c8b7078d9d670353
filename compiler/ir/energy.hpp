// What tracing an author's file yields: one energy density as a graph, and the description of what it depends on.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/graph.hpp"

namespace proxima::ir {

// A parameter as the author declared it. The interval is open: a value must satisfy lower < value < upper.
struct Parameter {
  std::string name;
  std::string unit;  // SI symbol, "" for dimensionless
  double default_value = 0;
  double lower;  // -inf when unbounded
  double upper;  // +inf when unbounded
  SourceLocation where;
};

// An energy density Psi(F; theta), joule per cubic metre of rest volume. Inputs of the graph:
// slots 0..8 are the deformation gradient F row by row (F(i,j) is slot 3*i+j); slot 9+k is parameter k.
struct Energy {
  std::string name;  // as in PROXIMA_ENERGY(name)
  std::string file;  // where it was written, for messages
  Graph graph;
  NodeId density;
  std::vector<Parameter> parameters;

  static constexpr std::uint32_t first_parameter_slot = 9;
};

}  // namespace proxima::ir
