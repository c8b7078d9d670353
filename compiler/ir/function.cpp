#include "compiler/ir/function.hpp"

#include <utility>

namespace proxima::ir {

std::vector<NodeId> roots_of(const Function& function) {
  std::vector<NodeId> roots;
  for (const FunctionOutput& output : function.outputs)
    roots.insert(roots.end(), output.roots.begin(), output.roots.end());
  return roots;
}

Function with_roots(const Function& function, Graph graph, const std::vector<NodeId>& roots) {
  Function result = function;
  result.graph = std::move(graph);
  std::size_t next = 0;
  for (FunctionOutput& output : result.outputs)
    for (NodeId& root : output.roots) root = roots.at(next++);
  return result;
}

}  // namespace proxima::ir
