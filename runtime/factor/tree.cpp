#include "runtime/factor/tree.hpp"

#include <metis.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "compiler/support/error.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> result(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) result[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
  return result;
}

// Calls visit(j) for the pivots j < k that row k of the permuted matrix has.
template <class Visit>
void earlier_neighbours(const Graph& graph, const EliminationTree& tree, Index k, Visit visit) {
  const auto row = static_cast<std::size_t>(tree.order[static_cast<std::size_t>(k)]);
  for (auto e = graph.first[row]; e < graph.first[row + 1]; ++e) {
    const Index j = tree.pivot[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)])];
    if (j < k) visit(j);
  }
}

// Liu (1986): row by row, with the paths to the root compressed.
void find_parents(const Graph& graph, EliminationTree& tree) {
  const Index n = graph.size();
  tree.parent.assign(static_cast<std::size_t>(n), -1);
  std::vector<Index> ancestor(static_cast<std::size_t>(n), -1);
  for (Index k = 0; k < n; ++k) {
    earlier_neighbours(graph, tree, k, [&](Index j) {
      while (j != -1 && j < k) {
        const Index next = std::exchange(ancestor[static_cast<std::size_t>(j)], k);
        if (next == -1) tree.parent[static_cast<std::size_t>(j)] = k;
        j = next;
      }
    });
  }
}

// Renumbers the pivots so that each follows its descendants immediately.
void postorder(EliminationTree& tree) {
  const auto n = static_cast<Index>(tree.parent.size());
  std::vector<Index> child(static_cast<std::size_t>(n), -1), sibling(static_cast<std::size_t>(n), -1);
  Index root = -1;
  for (Index k = n - 1; k >= 0; --k) {
    Index& head = tree.parent[static_cast<std::size_t>(k)] < 0
                      ? root
                      : child[static_cast<std::size_t>(tree.parent[static_cast<std::size_t>(k)])];
    sibling[static_cast<std::size_t>(k)] = std::exchange(head, k);
  }
  std::vector<Index> sequence, stack;
  sequence.reserve(static_cast<std::size_t>(n));
  for (; root != -1; root = sibling[static_cast<std::size_t>(root)]) {
    stack.push_back(root);
    while (!stack.empty()) {
      const Index k = stack.back();
      Index& next = child[static_cast<std::size_t>(k)];
      if (next == -1) {
        sequence.push_back(k);
        stack.pop_back();
      } else {
        stack.push_back(next);
        next = sibling[static_cast<std::size_t>(next)];
      }
    }
  }
  const std::vector<Index> place = inverse(sequence);
  std::vector<Index> order(static_cast<std::size_t>(n)), parent(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto old = static_cast<std::size_t>(sequence[k]);
    order[k] = tree.order[old];
    parent[k] = tree.parent[old] < 0 ? -1 : place[static_cast<std::size_t>(tree.parent[old])];
  }
  tree.order = std::move(order);
  tree.pivot = inverse(tree.order);
  tree.parent = std::move(parent);
}

// Gilbert, Ng and Peyton (1994): a column's count from the leaves of the row subtrees and their least common ancestors,
// in time nearly linear in the entries of the matrix.
void count_columns(const Graph& graph, EliminationTree& tree) {
  const auto n = static_cast<std::size_t>(graph.size());
  std::vector<Index> first_descendant(n), deepest(n, -1), last_leaf(n, -1), set(n);
  std::iota(first_descendant.begin(), first_descendant.end(), 0);
  std::iota(set.begin(), set.end(), 0);
  tree.count.assign(n, 0);
  const auto find = [&](Index k) {
    while (set[static_cast<std::size_t>(k)] != k) {
      Index& up = set[static_cast<std::size_t>(k)];
      up = set[static_cast<std::size_t>(up)];
      k = up;
    }
    return k;
  };
  for (std::size_t k = 0; k < n; ++k) {
    if (first_descendant[k] == static_cast<Index>(k)) ++tree.count[k];  // a leaf of the tree
    if (tree.parent[k] < 0) continue;
    const auto up = static_cast<std::size_t>(tree.parent[k]);
    first_descendant[up] = std::min(first_descendant[up], first_descendant[k]);
    --tree.count[up];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto row = static_cast<std::size_t>(tree.order[k]);
    for (auto e = graph.first[row]; e < graph.first[row + 1]; ++e) {
      const auto i =
          static_cast<std::size_t>(tree.pivot[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)])]);
      if (i <= k || first_descendant[k] <= deepest[i]) continue;
      deepest[i] = first_descendant[k];  // pivot k is a leaf of row subtree i
      ++tree.count[k];
      if (last_leaf[i] >= 0) --tree.count[static_cast<std::size_t>(find(last_leaf[i]))];
      last_leaf[i] = static_cast<Index>(k);
    }
    if (tree.parent[k] >= 0) set[k] = tree.parent[k];
  }
  for (std::size_t k = 0; k < n; ++k)
    if (tree.parent[k] >= 0) tree.count[static_cast<std::size_t>(tree.parent[k])] += tree.count[k];
}

}  // namespace

Graph adjacency(const SparseSymmetric& pattern) {
  const auto n = static_cast<std::size_t>(std::max(pattern.size, 0));
  const auto broken = [](const char* what) { throw std::logic_error(std::string("SparseSymmetric: ") + what); };
  if (pattern.size < 0 || pattern.first.size() != n + 1 || pattern.first[0] != 0 ||
      pattern.first[n] != static_cast<std::int64_t>(pattern.row.size()))
    broken("the columns do not cover the rows");
  Graph graph;
  graph.first.assign(n + 1, 0);
  for (std::size_t j = 0; j < n; ++j) {
    if (pattern.first[j + 1] <= pattern.first[j]) broken("a column without its diagonal");
    for (auto e = pattern.first[j]; e < pattern.first[j + 1]; ++e) {
      const Index i = pattern.row[static_cast<std::size_t>(e)];
      if (e == pattern.first[j]) {
        if (i != static_cast<Index>(j)) broken("a column that does not begin with its diagonal");
        continue;
      }
      if (i <= pattern.row[static_cast<std::size_t>(e) - 1] || i >= pattern.size) broken("rows that do not increase");
      ++graph.first[j + 1];
      ++graph.first[static_cast<std::size_t>(i) + 1];
    }
  }
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  graph.neighbour.resize(static_cast<std::size_t>(graph.first[n]));
  std::vector<std::int64_t> next(graph.first.begin(), graph.first.end() - 1);
  for (std::size_t j = 0; j < n; ++j)
    for (auto e = pattern.first[j] + 1; e < pattern.first[j + 1]; ++e) {
      const auto i = static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)]);
      graph.neighbour[static_cast<std::size_t>(next[j]++)] = static_cast<Index>(i);
      graph.neighbour[static_cast<std::size_t>(next[i]++)] = static_cast<Index>(j);
    }
  return graph;
}

std::vector<std::int32_t> nested_dissection(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.size());
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (graph.neighbour.empty()) return order;
  if (graph.neighbour.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
    fail("matrix of {} rows with {} off-diagonal entries: METIS counts to {} only", n, graph.neighbour.size(),
         std::numeric_limits<idx_t>::max());
  std::vector<idx_t> first(graph.first.begin(), graph.first.end());
  std::vector<idx_t> neighbour(graph.neighbour.begin(), graph.neighbour.end());
  std::vector<idx_t> permutation(n), position(n);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t size = static_cast<idx_t>(n);
  static std::mutex one_at_a_time;  // METIS draws from the C library's one random sequence
  const std::lock_guard lock(one_at_a_time);
  if (METIS_NodeND(&size, first.data(), neighbour.data(), nullptr, options, permutation.data(), position.data()) !=
      METIS_OK)
    fail("matrix of {} rows: METIS found no order (out of memory?)", n);
  std::copy(permutation.begin(), permutation.end(), order.begin());
  return order;
}

EliminationTree eliminate(const Graph& graph, std::vector<std::int32_t> order) {
  EliminationTree tree;
  tree.order = std::move(order);
  tree.pivot = inverse(tree.order);
  find_parents(graph, tree);
  postorder(tree);
  count_columns(graph, tree);
  return tree;
}

}  // namespace proxima::factor
