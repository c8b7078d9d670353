// Adds the second derivatives of one region's energy by node positions to a sparse matrix, element after element: the
// same bits for any number of threads. Knows where each element's blocks go; the kernels are the region's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/device/aligned.hpp"
#include "runtime/solve/precondition/block_matrix.hpp"
#include "runtime/solve/region/region.hpp"

namespace proxima::solve {

class RegionAssembly {
 public:
  // `row` of each node, -1 for those that have none. `columns`: of each row of the matrix, increasing; every pair of
  // an element's corners that have rows is among them. `batch_bytes`: about how much is computed before it is added.
  RegionAssembly(const ElementSet& set, std::span<const std::int32_t> row,
                 const std::vector<std::vector<std::int32_t>>& columns, const BlockMatrix<double>& matrix,
                 std::size_t batch_bytes = std::size_t{32} << 20);

  // matrix += the Hessian of `region`, that of the constructor's set, at x.
  void add(RegionKernels& region, std::span<const double> x, BlockMatrix<double>& matrix);
  std::size_t bytes() const;

 private:
  // Blocks of the upper triangle that a batch of elements adds to, each with its mirror image (itself on the diagonal)
  // and its share of `sources`: 2 * (number of the block among those of the batch's elements) + (1 if transposed).
  struct Target {
    std::uint32_t slot, mirror, first;
  };
  // As many elements as are computed before they are added, so that memory does not grow with the mesh.
  struct Batch {
    std::size_t first_tile, last_tile;
    std::vector<Target> targets;  // and one more, where the sources end
    std::vector<std::uint32_t> sources;
  };
  Batch make_batch(const ElementSet& set, std::size_t first_tile, std::size_t last_tile,
                   std::span<const std::int32_t> row, const std::vector<std::vector<std::int32_t>>& columns,
                   const BlockMatrix<double>& matrix) const;
  void compute(RegionKernels& region, std::span<const double> x, const Batch& batch);
  void sum_lanes(const ElementSet& set, std::size_t tile, std::size_t first_element, const double* of_lanes);

  std::size_t pairs_ = 0;
  std::vector<Batch> batches_;
  device::AlignedVector<double> ones_;    // the gradient of an edge's second corner
  device::AlignedVector<double> blocks_;  // of a batch: [element][pair][entry]
};

}  // namespace proxima::solve
