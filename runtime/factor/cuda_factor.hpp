// The factor on a GPU: kernels/solve.cu, both sweeps in one launch. The factor is computed on the CPU and copied.
#pragma once

#include "runtime/device/cuda_vector.hpp"
#include "runtime/factor/factor.hpp"

namespace proxima::factor {

// One thread of callers at a time.
class CudaFactor {
 public:
  // For factors of this one's pattern and solves for up to `worlds` worlds at a time. Throws Error when the GPU has no
  // memory for it.
  CudaFactor(device::CudaEngine& engine, const SupernodalCholesky& pattern, int worlds = 1);

  // Copies the factor's numbers, in the precision that it stores. Throws std::logic_error when there is none.
  void copy(const SupernodalCholesky& factor);

  // Queues x <- A^-1 b, three interleaved right-hand sides, world after world; b and x may be the same vector. The same
  // bits from run to run, for a world alone and among others. Throws std::logic_error for wrong sizes.
  void solve(const device::CudaVector& b, device::CudaVector& x);

  std::int64_t entries() const { return offset_.back(); }  // of all blocks, zeros above diagonals among them

 private:
  device::CudaEngine* engine_;
  Storage storage_;
  std::int32_t size_, supernodes_;
  std::vector<std::int64_t> offset_;  // of each supernode's block
  int worlds_, tile_count_ = 0, group_count_ = 0, borders_ = 0, partials_ = 0;
  device::CudaFunction prepare_, solve_;
  int blocks_;
  device::CudaArray values_, tiles_, nodes_, groups_, border_pivot_, received_first_, received_from_, order_;
  device::CudaArray y_, x_, border_value_, partial_, waiting_up_, waiting_down_, left_, next_;
  device::CudaArray first_waiting_up_, first_waiting_down_;
};

}  // namespace proxima::factor
