// A kernel as long as one likes, with values that are used again much later, as in the derivative of a long formula.
#pragma once

#include <random>
#include <vector>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::emit::testing {

// About `operations` operations on nodal, element and uniform inputs, a quarter of them on uniform ones alone. Every
// value lies between -1 and 1 when the inputs do; truth values, too, are used long after they are made.
inline ir::Kernel large_kernel(int operations) {
  using ir::Expression;
  ir::Kernel kernel;
  kernel.name = "large";
  kernel.corners = 2;
  kernel.inputs = {{"x", ir::Access::nodal, 3}, {"e", ir::Access::element, 4}, {"u", ir::Access::uniform, 3}};
  kernel.outputs = {{"y", ir::Access::element, 5}};
  std::mt19937_64 random(3);
  std::vector<Expression> uniform, varying;
  for (std::uint32_t k = 0; k < 10; ++k) varying.push_back({&kernel.graph, kernel.graph.input(k)});
  for (std::uint32_t k = 10; k < 13; ++k) uniform.push_back({&kernel.graph, kernel.graph.input(k)});

  // Mostly of the latest values, now and then of an old one.
  const auto pick = [&](const std::vector<Expression>& from) {
    const std::size_t reach = random() % 8 == 0 ? from.size() : std::min<std::size_t>(from.size(), 30);
    return from[from.size() - 1 - random() % reach];
  };
  std::vector<Expression> conditions = {less(varying[0], varying[1])};
  while (kernel.graph.size() < static_cast<std::size_t>(operations)) {
    std::vector<Expression>& values = random() % 4 == 0 ? uniform : varying;
    const Expression a = pick(values), b = pick(&values == &varying && random() % 4 == 0 ? uniform : values);
    switch (random() % 8) {
      case 0:
        if (&values == &varying) conditions.push_back(less(a, b));
        break;
      case 1:
        values.push_back(&values == &varying ? select(pick(conditions), a, b) : a.apply(ir::Op::max, {b}));
        break;
      case 2:
        values.push_back(a * b);
        break;
      case 3:
        values.push_back((a * a).apply(ir::Op::sqrt));
        break;
      default:
        values.push_back(0.25 * a - 0.75 * b);
    }
  }
  for (std::size_t k = 0; k < 4; ++k) kernel.results.push_back(varying[varying.size() - 1 - 7 * k].node);
  Expression sum = varying[0];
  for (const std::vector<Expression>& values : {uniform, varying})
    for (std::size_t k = 0; k < values.size(); k += 8) sum = sum + (8.0 / operations) * values[k];
  kernel.results.push_back(sum.node);
  return kernel;
}

}  // namespace proxima::emit::testing
