// What products with H in single precision look at, on a GPU: positions and directions of nodes, made of doubles.
#pragma once

#include <span>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/solve/region/region.hpp"

namespace proxima::solve {

// One thread of callers at a time.
class CudaSingle {
 public:
  // Of vectors of so many nodes.
  CudaSingle(std::shared_ptr<device::CudaAlgebra> algebra, std::span<const RegionKernels> regions, std::size_t nodes);

  void set_positions(const device::CudaVector& x, const device::CudaVector& previous);
  void set_direction(const device::CudaVector& direction);
  const device::CudaArray& positions() const { return positions_; }
  const device::CudaArray& previous() const { return previous_; }
  const device::CudaArray& direction() const { return direction_; }

 private:
  std::shared_ptr<device::CudaAlgebra> algebra_;
  device::CudaFunction narrow_, narrow_positions_;
  std::shared_ptr<const device::CudaArray> origin_;
  device::CudaArray positions_, previous_, direction_;
};

// Whether an energy sees its nodes from one another, so that their positions may be given from any origin.
bool sees_differences(const ir::Energy& energy);

}  // namespace proxima::solve
