// A batch of elements on a GPU: arrays laid out as compiler/emit/cuda/print.hpp says, a launch, and the results.
#pragma once

#include <vector>

#include "runtime/device/cuda_kernel.hpp"
#include "tests/jit/run_kernel.hpp"

namespace proxima::gpu {

// How the kernel wants its node list.
enum class NodeList { corner_rows, element_rows };

class DeviceRun {
 public:
  // Uploads the fields, which must outlive it; padding of inputs is NaN, of node lists -1.
  DeviceRun(device::CudaDevice& device, const ir::Kernel& kernel, emit::Precision precision,
            const jit::testing::Batch& batch, NodeList list = NodeList::corner_rows);

  void launch(const device::CudaKernel& loaded) const;  // queues it

  // Output fields, element-major.
  std::vector<std::vector<double>> results() const;

 private:
  template <class T>
  void upload(device::CudaDevice& device, const jit::testing::Batch& batch, NodeList list);
  template <class T>
  std::vector<std::vector<double>> download() const;

  const ir::Kernel& kernel_;  // must outlive it
  const emit::Precision precision_;
  std::size_t elements_, stride_;
  std::vector<device::CudaArray> arrays_;
  std::vector<device::CudaInput> inputs_;
  std::vector<const device::CudaArray*> outputs_;
  const device::CudaArray* nodes_ = nullptr;
};

}  // namespace proxima::gpu
