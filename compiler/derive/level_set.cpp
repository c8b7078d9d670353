#include "compiler/derive/level_set.hpp"

#include <stdexcept>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/exact_quotients.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::derive {

ir::Function with_normal(const ir::Function& level) {
  if (level.inputs.size() != 1 || level.inputs[0].components != 3 || roots_of(level).size() != 1)
    throw std::logic_error(level.name + ": is no function of a point with one number as its value");
  ir::Function result = level;
  ir::Graph& graph = result.graph;
  const auto roots = roots_of(level);
  const ir::Expression phi{&graph, with_exact_quotients(graph, roots)[0]};
  const std::vector<ir::NodeId> x = {graph.input(0), graph.input(1), graph.input(2)};
  const auto slopes = gradient(graph, phi.node, x);
  const ir::Expression a{&graph, slopes[0]}, b{&graph, slopes[1]}, c{&graph, slopes[2]};
  const ir::Expression square = a * a + b * b + c * c;
  const ir::Expression steep = less(0, square);
  const ir::Expression length = select(steep, square, 1).apply(ir::Op::sqrt);
  const ir::SourceLocation where = level.outputs[0].where;
  result.name = level.name + ".normal";
  result.outputs = {
      {"gap", {(phi / length).node}, where},
      {"normal", {(a / length).node, (b / length).node, select(steep, c / length, 1).node}, where},
  };
  return result;
}

}  // namespace proxima::derive
