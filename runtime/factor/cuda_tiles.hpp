// How kernels/solve.cu cuts the blocks of a factor into tiles, in which order they are taken, and who waits for whom.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/factor/supernodes.hpp"

namespace proxima::factor {

// As in kernels/solve.cu.
struct CudaTile {
  std::int32_t supernode, row, column, upward, group, partial;
};
struct CudaGroup {
  std::int32_t tiles, partial;
};

struct CudaTiles {
  std::vector<CudaTile> tiles;  // in the order in which they are taken
  std::vector<CudaGroup> groups;
  std::vector<std::int32_t> waiting_up;    // of each supernode, and of all roots together
  std::vector<std::int32_t> waiting_down;  // of each supernode
  std::int32_t partials = 0;               // numbers for partial sums
};

CudaTiles make_tiles(const Supernodes& supernodes);

// Of each row of each supernode, which rows below the pivots of its children send there: received_from[k] for k from
// received_first[row], counted among those of all supernodes as in Supernodes::border. `place`: a supernode's first
// row.
struct Received {
  std::vector<std::int32_t> place, first, from;
};
Received make_received(const Supernodes& supernodes);

}  // namespace proxima::factor
