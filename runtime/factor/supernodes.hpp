// The supernodes: runs of pivots with the same rows below, merged while that makes a solve faster. Pattern only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/factor/tree.hpp"

namespace proxima::factor {

struct Supernodes {
  std::vector<std::int32_t> order;   // row of the matrix that is pivot k
  std::vector<std::int32_t> begin;   // supernode s has the pivots begin[s] .. begin[s+1]-1
  std::vector<std::int32_t> parent;  // -1 at a root; children come before their parent, subtrees are consecutive
  std::vector<std::int64_t> border_begin;
  std::vector<std::int32_t> border;           // of each supernode: the later pivots its rows reach, increasing
  std::vector<std::int32_t> place_in_parent;  // beside `border`: the same rows, counted in the parent's rows

  std::int32_t size() const { return static_cast<std::int32_t>(parent.size()); }
  std::int32_t columns(std::int32_t s) const {
    return begin[static_cast<std::size_t>(s) + 1] - begin[static_cast<std::size_t>(s)];
  }
  std::int32_t border_size(std::int32_t s) const {
    return static_cast<std::int32_t>(border_begin[static_cast<std::size_t>(s) + 1] -
                                     border_begin[static_cast<std::size_t>(s)]);
  }
  std::int32_t rows(std::int32_t s) const { return columns(s) + border_size(s); }
  std::span<const std::int32_t> border_of(std::int32_t s) const {
    return std::span(border).subspan(static_cast<std::size_t>(border_begin[static_cast<std::size_t>(s)]),
                                     static_cast<std::size_t>(border_size(s)));
  }
  std::span<const std::int32_t> place_of(std::int32_t s) const {
    return std::span(place_in_parent)
        .subspan(static_cast<std::size_t>(border_begin[static_cast<std::size_t>(s)]),
                 static_cast<std::size_t>(border_size(s)));
  }
};

// The final order is that of the tree with the columns of merged supernodes moved together.
Supernodes make_supernodes(const Graph& graph, const EliminationTree& tree);

}  // namespace proxima::factor
