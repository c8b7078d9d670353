// A kernel that is one composite operator of an element field.
#pragma once

#include <vector>

#include "compiler/ir/kernel.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::emit::testing {

inline ir::Kernel composite_kernel(ir::Op op) {
  const ir::Operator& row = ir::describe(op);
  ir::Kernel kernel;
  kernel.name = row.name;
  kernel.inputs = {{"x", ir::Access::element, row.arity}};
  kernel.outputs = {{"parts", ir::Access::element, row.parts}};
  std::vector<ir::NodeId> operands;
  for (std::uint32_t k = 0; k < row.arity; ++k) operands.push_back(kernel.graph.input(k));
  const ir::NodeId bundle = kernel.graph.apply(op, operands);
  for (std::uint32_t k = 0; k < row.parts; ++k) kernel.results.push_back(kernel.graph.part(bundle, k));
  return kernel;
}

}  // namespace proxima::emit::testing
