#include "runtime/factor/supernodes.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "runtime/factor/panel_shape.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

// What a solve spends on a supernode beyond streaming its entries, in entries: measured in bench/factor
// (docs/rooms/factor.md).
constexpr double cost_of_supernode = 200;
constexpr double cost_of_row = 2;

double cost(Index columns, Index rows) {
  return cost_of_supernode + cost_of_row * rows + static_cast<double>(panel_entries(columns, rows));
}

struct Node {
  Index columns = 0, rows = 0;
  Index parent = -1;
  bool merged = false;
  std::vector<Index> children;
  std::vector<Index> members;  // supernodes of the first partition, itself among them
};

// Consecutive pivots, each the parent of the one before, with the same rows below.
std::vector<Index> maximal_supernodes(const EliminationTree& tree) {
  std::vector<Index> begin;
  const auto n = tree.parent.size();
  for (std::size_t k = 0; k < n; ++k) {
    const bool joins = k > 0 && tree.parent[k - 1] == static_cast<Index>(k) && tree.count[k - 1] == tree.count[k] + 1;
    if (!joins) begin.push_back(static_cast<Index>(k));
  }
  begin.push_back(static_cast<Index>(n));
  return begin;
}

std::vector<Node> supernode_tree(const EliminationTree& tree, const std::vector<Index>& begin) {
  std::vector<Index> owner(tree.parent.size());
  for (std::size_t s = 0; s + 1 < begin.size(); ++s)
    std::fill(owner.begin() + begin[s], owner.begin() + begin[s + 1], static_cast<Index>(s));
  std::vector<Node> nodes(begin.size() - 1);
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    nodes[s].columns = begin[s + 1] - begin[s];
    nodes[s].rows = tree.count[static_cast<std::size_t>(begin[s])];
    nodes[s].members = {static_cast<Index>(s)};
    const Index up = tree.parent[static_cast<std::size_t>(begin[s + 1] - 1)];
    if (up < 0) continue;
    nodes[s].parent = owner[static_cast<std::size_t>(up)];
    nodes[static_cast<std::size_t>(nodes[s].parent)].children.push_back(static_cast<Index>(s));
  }
  return nodes;
}

// Bottom up, takes a child into its parent while the sum of the costs falls. The rows of the union are known without
// looking: those of the parent and the child's columns.
void merge(std::vector<Node>& nodes) {
  for (Node& node : nodes) {
    std::vector<Index> candidates = std::move(node.children);
    node.children.clear();
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      Node& child = nodes[static_cast<std::size_t>(candidates[k])];
      const double apart = cost(child.columns, child.rows) + cost(node.columns, node.rows);
      if (cost(child.columns + node.columns, child.columns + node.rows) >= apart) {
        node.children.push_back(candidates[k]);
        continue;
      }
      node.columns += child.columns;
      node.rows += child.columns;
      node.members.insert(node.members.end(), child.members.begin(), child.members.end());
      candidates.insert(candidates.end(), child.children.begin(), child.children.end());
      child = Node{};
      child.merged = true;
    }
    std::sort(node.children.begin(), node.children.end());
    for (const Index c : node.children)
      nodes[static_cast<std::size_t>(c)].parent = static_cast<Index>(&node - nodes.data());
    std::sort(node.members.begin(), node.members.end());
  }
}

std::vector<Index> postorder(const std::vector<Node>& nodes) {
  std::vector<Index> sequence;
  std::vector<std::pair<Index, std::size_t>> stack;  // node, next child
  for (std::size_t root = 0; root < nodes.size(); ++root) {
    if (nodes[root].merged || nodes[root].parent >= 0) continue;
    stack.emplace_back(static_cast<Index>(root), 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      const auto& children = nodes[static_cast<std::size_t>(node)].children;
      if (next < children.size()) {
        const Index child = children[next++];
        stack.emplace_back(child, 0);
      } else {
        sequence.push_back(node);
        stack.pop_back();
      }
    }
  }
  return sequence;
}

// The rows below each supernode: those of its columns in the matrix and those of its children, without its own.
void find_borders(const Graph& graph, const std::vector<Index>& pivot, Supernodes& result) {
  const auto count = static_cast<std::size_t>(result.size());
  std::vector<std::vector<Index>> children(count);
  for (std::size_t s = 0; s < count; ++s)
    if (result.parent[s] >= 0) children[static_cast<std::size_t>(result.parent[s])].push_back(static_cast<Index>(s));
  std::vector<Index> seen_by(pivot.size(), -1);
  result.border_begin = {0};
  for (std::size_t s = 0; s < count; ++s) {
    const Index end = result.begin[s + 1];
    const auto add = [&](Index row) {
      if (row < end || seen_by[static_cast<std::size_t>(row)] == static_cast<Index>(s)) return;
      seen_by[static_cast<std::size_t>(row)] = static_cast<Index>(s);
      result.border.push_back(row);
    };
    for (Index k = result.begin[s]; k < end; ++k) {
      const auto row = static_cast<std::size_t>(result.order[static_cast<std::size_t>(k)]);
      for (auto e = graph.first[row]; e < graph.first[row + 1]; ++e)
        add(pivot[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)])]);
    }
    for (const Index child : children[s])
      for (auto e = result.border_begin[static_cast<std::size_t>(child)];
           e < result.border_begin[static_cast<std::size_t>(child) + 1]; ++e)
        add(result.border[static_cast<std::size_t>(e)]);
    std::sort(result.border.begin() + result.border_begin[s], result.border.end());
    result.border_begin.push_back(static_cast<std::int64_t>(result.border.size()));
  }
}

void find_places(Supernodes& result) {
  result.place_in_parent.resize(result.border.size());
  for (Index s = 0; s < result.size(); ++s) {
    const Index up = result.parent[static_cast<std::size_t>(s)];
    if (up < 0) continue;
    const auto rows = result.border_of(s), above = result.border_of(up);
    const Index first = result.begin[static_cast<std::size_t>(up)], columns = result.columns(up);
    auto* place = result.place_in_parent.data() + result.border_begin[static_cast<std::size_t>(s)];
    std::size_t k = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r] - first < columns) {
        place[r] = rows[r] - first;
        continue;
      }
      while (above[k] != rows[r]) ++k;
      place[r] = columns + static_cast<Index>(k);
    }
  }
}

}  // namespace

Supernodes make_supernodes(const Graph& graph, const EliminationTree& tree) {
  const std::vector<Index> first_partition = maximal_supernodes(tree);
  std::vector<Node> nodes = supernode_tree(tree, first_partition);
  merge(nodes);

  Supernodes result;
  const std::vector<Index> sequence = postorder(nodes);
  std::vector<Index> number(nodes.size(), -1);
  for (std::size_t s = 0; s < sequence.size(); ++s)
    number[static_cast<std::size_t>(sequence[s])] = static_cast<Index>(s);
  result.begin = {0};
  for (const Index id : sequence) {
    const Node& node = nodes[static_cast<std::size_t>(id)];
    for (const Index member : node.members)
      for (Index k = first_partition[static_cast<std::size_t>(member)];
           k < first_partition[static_cast<std::size_t>(member) + 1]; ++k)
        result.order.push_back(tree.order[static_cast<std::size_t>(k)]);
    result.begin.push_back(static_cast<Index>(result.order.size()));
    result.parent.push_back(node.parent < 0 ? -1 : number[static_cast<std::size_t>(node.parent)]);
  }
  std::vector<Index> pivot(result.order.size());
  for (std::size_t k = 0; k < pivot.size(); ++k)
    pivot[static_cast<std::size_t>(result.order[k])] = static_cast<Index>(k);
  find_borders(graph, pivot, result);
  find_places(result);
#ifndef NDEBUG
  for (std::size_t s = 0; s < sequence.size(); ++s)
    assert(result.rows(static_cast<Index>(s)) == nodes[static_cast<std::size_t>(sequence[s])].rows);
#endif
  return result;
}

}  // namespace proxima::factor
