// A decomposed face (decomposed_face.hpp) on a GPU: its forces there, from what contacts are moved by there.
#pragma once

#include <memory>

#include "runtime/contact/face.hpp"
#include "runtime/factor/cuda_dense_lu.hpp"

namespace proxima::contact {

// One thread of callers at a time. The same bits from run to run.
class CudaFace {
 public:
  // Null where the face is not decomposed as a whole: one that is iterated, or whose slipping contacts are solved block
  // by block, until they have converged.
  static std::unique_ptr<CudaFace> make(const std::shared_ptr<device::CudaAlgebra>& algebra, const Face& face);

  // As Face::forces, queued.
  void forces(const device::CudaVector& u, device::CudaVector& result);

 private:
  CudaFace(const std::shared_ptr<device::CudaAlgebra>& algebra, const Face& face);

  std::shared_ptr<device::CudaAlgebra> algebra_;
  device::CudaFunction multiply_, multiply_transposed_, sides_, forces_;
  factor::CudaDenseLu lu_;
  int sticks_, slips_, leading_;
  device::CudaArray stick_, panel_, rows_, first_;
  device::CudaVector at_sticks_, above_, unknowns_;
};

}  // namespace proxima::contact
