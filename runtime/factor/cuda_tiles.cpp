#include "runtime/factor/cuda_tiles.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/kernels.hpp"

namespace proxima::factor {
namespace {

using Index = std::int32_t;
constexpr Index tile_rows = kernels::tile_rows, tile_columns = kernels::tile_columns;

// Lowest first: a supernode after all that is below it, and side by side what can be done at the same time.
std::vector<Index> by_height(const Supernodes& supernodes) {
  const auto count = static_cast<std::size_t>(supernodes.size());
  std::vector<Index> height(count), order(count);
  for (std::size_t s = 0; s < count; ++s)
    if (const Index parent = supernodes.parent[s]; parent >= 0) {
      Index& above = height[static_cast<std::size_t>(parent)];
      above = std::max(above, height[s] + 1);
    }
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return height[static_cast<std::size_t>(a)] < height[static_cast<std::size_t>(b)];
  });
  return order;
}

// Adds the tiles of a group; where they are several, each with a partial sum of `numbers`.
void add_group(CudaTiles& result, std::vector<CudaTile> tiles, Index numbers) {
  const auto count = static_cast<Index>(tiles.size());
  const auto group = static_cast<Index>(result.groups.size());
  result.groups.push_back({count, result.partials});
  for (CudaTile& tile : tiles) {
    tile.group = group;
    if (count > 1) {
      tile.partial = result.partials;
      result.partials += numbers;
    }
    result.tiles.push_back(tile);
  }
}

}  // namespace

CudaTiles make_tiles(const Supernodes& supernodes) {
  CudaTiles result;
  const Index count = supernodes.size();
  result.waiting_up.resize(static_cast<std::size_t>(count) + 1);
  result.waiting_down.resize(static_cast<std::size_t>(count));
  const std::vector<Index> order = by_height(supernodes);
  for (const Index s : order) {
    const Index parent = supernodes.parent[static_cast<std::size_t>(s)];
    Index& waiting = result.waiting_up[static_cast<std::size_t>(parent >= 0 ? parent : count)];
    for (Index row = 0; row < supernodes.rows(s); row += tile_rows) {
      std::vector<CudaTile> tiles;
      for (Index column = 0; column < std::min(supernodes.columns(s), row + tile_rows); column += tile_columns)
        tiles.push_back({s, row, column, 1, 0, -1});
      add_group(result, std::move(tiles), 3 * tile_rows);
      ++waiting;
    }
  }
  for (auto at = order.rbegin(); at != order.rend(); ++at)
    for (Index column = 0; column < supernodes.columns(*at); column += tile_columns) {
      std::vector<CudaTile> tiles;
      for (Index row = column / tile_rows * tile_rows; row < supernodes.rows(*at); row += tile_rows)
        tiles.push_back({*at, row, column, 0, 0, -1});
      add_group(result, std::move(tiles), 3 * tile_columns);
      ++result.waiting_down[static_cast<std::size_t>(*at)];
    }
  return result;
}

Received make_received(const Supernodes& supernodes) {
  Received result;
  Index rows = 0;
  for (Index s = 0; s < supernodes.size(); ++s) {
    result.place.push_back(rows);
    rows += supernodes.rows(s);
  }
  const auto each = [&](const auto& visit) {
    for (Index s = 0; s < supernodes.size(); ++s) {
      const Index parent = supernodes.parent[static_cast<std::size_t>(s)];
      if (parent < 0) continue;
      auto border = static_cast<Index>(supernodes.border_begin[static_cast<std::size_t>(s)]);
      for (const Index row : supernodes.place_of(s))
        visit(static_cast<std::size_t>(result.place[static_cast<std::size_t>(parent)]) + static_cast<std::size_t>(row),
              border++);
    }
  };
  result.first.resize(static_cast<std::size_t>(rows) + 1);
  each([&](std::size_t row, Index) { ++result.first[row + 1]; });
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.from.resize(static_cast<std::size_t>(result.first.back()));
  std::vector<Index> next(result.first.begin(), result.first.end() - 1);
  each([&](std::size_t row, Index border) { result.from[static_cast<std::size_t>(next[row]++)] = border; });
  return result;
}

}  // namespace proxima::factor
