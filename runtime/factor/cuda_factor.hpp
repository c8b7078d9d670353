// The factor on a GPU: kernels/solve.cu, both sweeps in one launch or one at a time. The factor is computed on the CPU
// and copied.
#pragma once

#include <memory>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/factor/factor.hpp"

namespace proxima::factor {

// One thread of callers at a time, or several with lanes (device::CudaBatch), each a world: their solves are one
// launch.
class CudaFactor {
 public:
  // For factors of this one's pattern and solves for up to `worlds` worlds at a time. Throws Error when the GPU has no
  // memory for it.
  CudaFactor(device::CudaEngine& engine, const SupernodalCholesky& pattern, int worlds = 1);

  // Copies the factor's numbers, in the precision that it stores. Throws std::logic_error when there is none.
  void copy(const SupernodalCholesky& factor);

  // Queues x <- A^-1 b, three interleaved right-hand sides; b and x may be the same vector. The same bits from run to
  // run, for a world alone and among others. Throws std::logic_error for wrong sizes.
  void solve(const device::CudaVector& b, device::CudaVector& x);
  // The two halves, as of SupernodalCholesky: y <- L^-1 P b and x <- P^T L^-T y, y by pivots and none of the others.
  // backward after forward has the bits of solve.
  void forward(const device::CudaVector& b, device::CudaVector& y);
  void backward(const device::CudaVector& y, device::CudaVector& x);

  std::int64_t entries() const;  // of all blocks, zeros above diagonals among them
  // So far: solves, and how often the factor was read for them; without those that graphs repeat. Half a solve counts
  // where it is the first.
  std::int64_t applications() const;
  std::int64_t passes() const;

 private:
  class Solve;
  class Sweeps;
  void run(const std::shared_ptr<const Sweeps>& sweeps, const device::CudaVector* b, const device::CudaVector* x,
           const device::CudaVector* y);

  std::shared_ptr<Solve> solve_;
  std::shared_ptr<const Sweeps> both_, upward_, downward_;
};

}  // namespace proxima::factor
