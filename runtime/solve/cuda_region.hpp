// One energy on the elements of one region, on a GPU: the fields of its RegionKernels copied there, its kernels
// compiled for it, element results gathered to nodes.
#pragma once

#include <map>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/solve/region.hpp"

namespace proxima::solve {

// Kernels are compiled when they are first needed. One thread of callers at a time.
class CudaRegion {
 public:
  // `held`: one flag a node; those get nothing from a gather. `region` must stay where it is.
  CudaRegion(std::shared_ptr<device::CudaAlgebra> algebra, const RegionKernels& region, const std::vector<char>& held);

  // Queue y += the gradient at x, and y += H direction, but for held nodes. `previous`: positions where the step
  // starts.
  struct At {
    const device::CudaVector& x;
    const device::CudaVector& previous;
  };
  void add_gradient(const At& at, device::CudaVector& y);
  void add_hessian_vector(derive::Quantity product, const At& at, const device::CudaVector& direction,
                          device::CudaVector& y);
  // Of all items, and of the second less the first, item by item; J.
  double energy(const At& at);
  double energy_difference(const At& at, const device::CudaVector& x1);

 private:
  const device::CudaKernel& kernel(derive::Quantity quantity);
  void run(derive::Quantity quantity, const At& at, const device::CudaVector* direction,
           const device::CudaArray& output);
  void gather(device::CudaVector& y);
  const device::CudaArray& field(const std::string& name);

  struct Copy {
    device::CudaArray array{};
    std::uint64_t version = 0;
  };
  std::shared_ptr<device::CudaAlgebra> algebra_;
  const RegionKernels* region_;
  std::vector<bool> per_element_;  // what the kernels were compiled for
  std::map<derive::Quantity, std::shared_ptr<const device::CudaKernel>> kernels_;
  std::map<std::string, Copy> fields_;
  device::CudaFunction gather_;
  int items_, gathered_ = 0;  // elements of a launch; nodes that a gather writes
  std::int64_t stride_;
  device::CudaArray nodes_, first_, offset_, gathered_nodes_, forces_, energies_[2];
};

}  // namespace proxima::solve
