// Kernels that are one composite operator, or one loop, of an element field.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "compiler/ir/expression.hpp"
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

// A loop of at most 25 trips whose two carried values change places: (a, b) -> (b, a c) while a c < 1. Input "x" 3: a,
// b and the captured c; output "y" 2.
inline ir::Kernel exchange_kernel() {
  const auto body = std::make_shared<ir::Graph>();
  const ir::Expression a{body.get(), body->input(0)}, b{body.get(), body->input(1)}, c{body.get(), body->input(2)};
  const ir::Loop loop{.body = body, .next = {b.node, (a * c).node}, .again = less(a * c, 1.0).node, .max_trips = 25};
  ir::Kernel kernel;
  kernel.name = "exchange";
  kernel.inputs = {{"x", ir::Access::element, 3}};
  kernel.outputs = {{"y", ir::Access::element, 2}};
  const auto slot = [&](std::uint32_t k) { return kernel.graph.input(k); };
  const ir::NodeId bundle = kernel.graph.loop(loop, std::array{slot(0), slot(1), slot(2)});
  kernel.results = {kernel.graph.part(bundle, 0), kernel.graph.part(bundle, 1)};
  return kernel;
}

}  // namespace proxima::emit::testing
