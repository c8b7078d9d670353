// Kernels over elements, as the compiler prints them, on a GPU.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/interpreter.hpp"
#include "compiler/ir/kernel.hpp"
#include "runtime/device/cuda.hpp"

namespace proxima::device {

// An input field of a launch: an array, or of a uniform field its numbers.
struct CudaInput {
  const CudaArray* array = nullptr;
  std::span<const double> numbers{};
};

class CudaKernel {
 public:
  // `module`: the kernel's code.
  CudaKernel(const std::shared_ptr<const CudaModule>& module, const ir::Kernel& kernel, emit::Precision precision);

  const CudaFunction& function() const { return function_; }
  const std::vector<ir::Field>& inputs() const { return inputs_; }
  const std::vector<ir::Field>& outputs() const { return outputs_; }
  std::uint32_t corners() const { return corners_; }

  // Computes what depends on uniform fields alone and queues the kernel for `elements` elements; arrays are laid out as
  // compiler/emit/cuda/print.hpp says. `nodes`: null for a kernel without corners. Throws std::logic_error when the
  // fields do not fit the kernel. Thread-safe.
  void launch(std::span<const CudaInput> inputs, std::span<const CudaArray* const> outputs, const CudaArray* nodes,
              int elements, std::int64_t stride) const;

 private:
  std::string name_;
  emit::Precision precision_;
  std::uint32_t corners_;
  std::vector<ir::Field> inputs_, outputs_;
  CudaFunction function_;
  mutable std::mutex mutex_;                  // of the prologue
  mutable ir::Interpreter<double> prologue_;  // of the numbers of all uniform fields
};

}  // namespace proxima::device
