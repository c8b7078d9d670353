// A dense LU decomposition on a GPU (kernels/dense.cu): decomposed by the CPU and copied, solved with there.
#pragma once

#include <memory>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/factor/dense_lu.hpp"

namespace proxima::factor {

// One thread of callers at a time. The same bits from run to run. One block of threads solves, so that nothing has to
// meet.
class CudaDenseLu {
 public:
  // Of one that is factorized.
  CudaDenseLu(const std::shared_ptr<device::CudaAlgebra>& algebra, const DenseLu& lu);

  // Queues x <- A^-1 x.
  void solve(device::CudaVector& x);

 private:
  device::CudaFunction solve_;
  int size_, leading_;
  device::CudaArray values_, lower_, upper_, order_;
  device::CudaVector room_;
};

}  // namespace proxima::factor
