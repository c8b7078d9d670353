#include "runtime/solve/region/region_assembly.hpp"

#include <algorithm>
#include <stdexcept>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/region/strain_hessian.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t tiles_a_chunk = 16;  // a multiple of the points of an element
constexpr std::size_t targets_a_chunk = 1024;

struct Contribution {
  std::uint32_t slot, mirror, source;
};

std::size_t slot_of(std::int32_t row, std::int32_t column, const std::vector<std::vector<std::int32_t>>& columns,
                    const BlockMatrix<double>& matrix) {
  const auto& of_row = columns[static_cast<std::size_t>(row)];
  const auto at = std::lower_bound(of_row.begin(), of_row.end(), column);
  return matrix.slot(static_cast<std::size_t>(row), static_cast<std::size_t>(at - of_row.begin()));
}

// `count` is a power of two.
double pairwise_sum(const double* values, std::size_t count) {
  if (count == 1) return *values;
  if (count == 8)
    return ((values[0] + values[4]) + (values[2] + values[6])) + ((values[1] + values[5]) + (values[3] + values[7]));
  return pairwise_sum(values, count / 2) + pairwise_sum(values + count / 2, count / 2);
}

}  // namespace

RegionAssembly::RegionAssembly(const ElementSet& set, std::span<const std::int32_t> row,
                               const std::vector<std::vector<std::int32_t>>& columns, const BlockMatrix<double>& matrix,
                               std::size_t batch_bytes)
    : pairs_(corner_pairs(static_cast<std::size_t>(set.rest().corners))), ones_(set.tiling().lanes, 1.0) {
  const std::size_t lanes = ones_.size(), tiles = set.tiling().tiles;
  if (set.points() != 1 && set.points() % lanes != 0)
    throw std::logic_error("a tile of kernels holds points of several elements");
  const std::size_t bytes_a_chunk = tiles_a_chunk * lanes / set.points() * pairs_ * sizeof(Block);
  const std::size_t step =
      tiles_a_chunk * std::max<std::size_t>(1, batch_bytes / std::max<std::size_t>(1, bytes_a_chunk));
  for (std::size_t first = 0; first < tiles; first += step)
    batches_.push_back(make_batch(set, first, std::min(tiles, first + step), row, columns, matrix));
  blocks_.resize(std::min(step, tiles) * lanes / set.points() * pairs_ * 9 + pairs_ * 9);
}

RegionAssembly::Batch RegionAssembly::make_batch(const ElementSet& set, std::size_t first_tile, std::size_t last_tile,
                                                 std::span<const std::int32_t> row,
                                                 const std::vector<std::vector<std::int32_t>>& columns,
                                                 const BlockMatrix<double>& matrix) const {
  Batch batch{first_tile, last_tile, {}, {}};
  const std::size_t lanes = ones_.size();
  const std::size_t first = first_tile * lanes / set.points();
  const std::size_t last = std::min(set.elements().count(), last_tile * lanes / set.points());
  std::vector<Contribution> all;
  for (std::size_t e = first; e < last; ++e) {
    const auto nodes = set.elements().of(e);
    std::size_t block = (e - first) * pairs_;
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = a; b < nodes.size(); ++b, ++block) {
        const std::int32_t i = row[nodes[a]], j = row[nodes[b]];
        if (i < 0 || j < 0) continue;
        const std::int32_t low = std::min(i, j), high = std::max(i, j);
        all.push_back({static_cast<std::uint32_t>(slot_of(low, high, columns, matrix)),
                       static_cast<std::uint32_t>(slot_of(high, low, columns, matrix)),
                       static_cast<std::uint32_t>(2 * block + (i > j ? 1 : 0))});
      }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Contribution& a, const Contribution& b) { return a.slot < b.slot; });
  batch.sources.reserve(all.size());
  for (const Contribution& c : all) {
    if (batch.targets.empty() || batch.targets.back().slot != c.slot)
      batch.targets.push_back({c.slot, c.mirror, static_cast<std::uint32_t>(batch.sources.size())});
    batch.sources.push_back(c.source);
  }
  batch.targets.push_back({0, 0, static_cast<std::uint32_t>(batch.sources.size())});
  return batch;
}

void RegionAssembly::add(RegionKernels& region, std::span<const double> x, BlockMatrix<double>& matrix) {
  for (const Batch& batch : batches_) {
    compute(region, x, batch);
    device::parallel_chunks(batch.targets.size() - 1, targets_a_chunk, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = begin; t < end; ++t) {
        const Target& target = batch.targets[t];
        Block sum{}, turned{};
        for (std::size_t k = target.first; k < batch.targets[t + 1].first; ++k) {
          const double* block = &blocks_[9 * static_cast<std::size_t>(batch.sources[k] / 2)];
          Block& side = batch.sources[k] % 2 == 0 ? sum : turned;
          for (std::size_t entry = 0; entry < 9; ++entry) side[entry] += block[entry];
        }
        Block mirror{};
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j) {
            sum[3 * i + j] += turned[3 * j + i];
            mirror[3 * j + i] = sum[3 * i + j];
          }
        matrix.add(target.slot, sum);
        if (target.mirror != target.slot) matrix.add(target.mirror, mirror);
      }
    });
  }
}

void RegionAssembly::compute(RegionKernels& region, std::span<const double> x, const Batch& batch) {
  const ElementSet& set = region.set();
  const std::size_t lanes = ones_.size();
  const auto corners = static_cast<std::size_t>(set.rest().corners);
  const int dimension = region.energy().measure == ir::Measure::node_positions ? 0 : set.rest().dimension;
  const std::size_t n = region.energy().strain_components(), entries = n * (n + 1) / 2 * lanes;
  const std::size_t gradients = (corners - 1) * static_cast<std::size_t>(dimension) * lanes;
  const double* of_set = dimension >= 2 ? set.field("gradients") : ones_.data();
  const std::size_t first_element = batch.first_tile * lanes / set.points();
  region.prepare_hessian();
  device::parallel_chunks(batch.last_tile - batch.first_tile, tiles_a_chunk, [&](std::size_t begin, std::size_t end) {
    device::AlignedVector<double> hessian((end - begin) * entries), blocks(pairs_ * 9 * lanes);
    begin += batch.first_tile;
    end += batch.first_tile;
    region.hessian_of_tiles(x, begin, end, hessian);
    for (std::size_t tile = begin; tile < end; ++tile) {
      contract_strain_hessian(dimension, static_cast<int>(corners), static_cast<int>(lanes),
                              &hessian[(tile - begin) * entries], dimension >= 2 ? of_set + tile * gradients : of_set,
                              blocks.data());
      sum_lanes(set, tile, first_element, blocks.data());
    }
  });
}

void RegionAssembly::sum_lanes(const ElementSet& set, std::size_t tile, std::size_t first_element,
                               const double* of_lanes) {
  const std::size_t lanes = ones_.size(), size = pairs_ * 9, points = set.points();
  const std::size_t item = tile * lanes, last = std::min(item + lanes, set.items());
  double* block = &blocks_[(item / points - first_element) * size];
  if (points == 1) {
    for (std::size_t lane = 0; item + lane < last; ++lane, block += size)
      for (std::size_t k = 0; k < size; ++k) block[k] = of_lanes[k * lanes + lane];
    return;
  }
  // All lanes are points of one element, which may have more in tiles before and after.
  for (std::size_t k = 0; k < size; ++k) {
    const double sum = pairwise_sum(of_lanes + k * lanes, lanes);
    block[k] = item % points == 0 ? sum : block[k] + sum;
  }
}

std::size_t RegionAssembly::bytes() const {
  std::size_t total = blocks_.size() * sizeof(double);
  for (const Batch& batch : batches_)
    total += batch.targets.size() * sizeof(Target) + batch.sources.size() * sizeof(std::uint32_t);
  return total;
}

}  // namespace proxima::solve
