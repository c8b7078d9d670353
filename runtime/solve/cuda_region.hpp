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
  // Alternating directions, as of RegionKernels; only where kernels().has_proximal_step().
  device::CudaVector zero_dual() const;
  void set_equilibrium_dual(const At& at, device::CudaVector& dual);
  void add_proximal_force(const At& at, device::CudaVector& dual, device::CudaVector& y);
  const RegionKernels& kernels() const { return *region_; }
  // Of all items, and of the second less the first, item by item; J.
  double energy(const At& at);
  double energy_difference(const At& at, const device::CudaVector& x1);

 private:
  void forget_old_kernels();  // where parameters have become per element, or no longer are
  const device::CudaKernel& kernel(derive::Quantity quantity);
  // The fields that a launch does not find in the region, by name.
  using Given = std::map<std::string, const device::CudaArray*>;
  void launch(const device::CudaKernel& kernel, const Given& given, std::span<const device::CudaArray* const> outputs);
  void run(derive::Quantity quantity, const At& at, const device::CudaVector* direction,
           const device::CudaArray& output);
  // Rows of one number an item.
  device::CudaVector rows(std::size_t components) const;
  // Loaded when first asked for: not every method takes proximal steps.
  struct Proximal;
  Proximal& proximal();
  void set_strain(const device::CudaVector& x, device::CudaVector& strain);
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
  std::shared_ptr<const device::CudaKernel> proximal_step_;
  std::map<std::string, Copy> fields_;
  std::shared_ptr<Proximal> proximal_;
  device::CudaFunction gather_;
  int items_, gathered_ = 0;  // elements of a launch; nodes that a gather writes
  std::int64_t stride_;
  device::CudaArray nodes_, first_, offset_, gathered_nodes_, forces_, energies_[2];
};

}  // namespace proxima::solve
