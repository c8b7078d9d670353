// Ordering and the elimination tree: which pivot follows which, and which needs which. Knows the pattern only, never
// values.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/factor/factor.hpp"

namespace proxima::factor {

// Off-diagonal pattern with both triangles: the neighbours of row i are neighbour[first[i]] .. neighbour[first[i+1]-1].
struct Graph {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> neighbour;
  std::int32_t size() const { return static_cast<std::int32_t>(first.size()) - 1; }
};

// Throws std::logic_error when the pattern is not a lower triangle as SparseSymmetric describes it.
Graph adjacency(const SparseSymmetric& pattern);

// A pivot order with its elimination tree, in postorder: every subtree is a run of consecutive pivots.
struct EliminationTree {
  std::vector<std::int32_t> order;   // row of the matrix that is pivot k
  std::vector<std::int32_t> pivot;   // its inverse
  std::vector<std::int32_t> parent;  // of a pivot; -1 at a root
  std::vector<std::int32_t> count;   // entries in the pivot's column of the factor, with the diagonal
};

// Nested dissection (METIS, fixed seed).
std::vector<std::int32_t> nested_dissection(const Graph& graph);

// The tree of the given order, which is postordered first.
EliminationTree eliminate(const Graph& graph, std::vector<std::int32_t> order);

}  // namespace proxima::factor
