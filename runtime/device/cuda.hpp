// One NVIDIA GPU: memory, code, launches. The driver is loaded when first asked for; the program builds, starts and
// does all else without it. Errors name the GPU, and the kernel with its energy. Nothing here was tried on a GPU yet.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"
#include "compiler/jit/nvrtc.hpp"

namespace proxima::device {

class CudaArray;
class CudaKernel;

// Thread-safe. Work is queued on one stream and done in order; copies wait for it.
class CudaDevice : public std::enable_shared_from_this<CudaDevice> {
 public:
  // The first GPU of the driver $PROXIMA_CUDA_DRIVER, if set, else of libcuda.so.1. Throws Error of one line where
  // there is no driver or no GPU.
  static std::shared_ptr<CudaDevice> open();
  ~CudaDevice();

  const std::string& name() const { return name_; }  // "NVIDIA H100 80GB HBM3"
  int capability() const { return capability_; }     // 90 for 9.0: see jit::Nvrtc::architecture_for

  // Not initialised. Throws Error when the memory is not there.
  CudaArray allocate(std::size_t bytes);

  // `kernel`: what `code` was made from. Throws std::runtime_error when the driver refuses the code.
  CudaKernel load(const ir::Kernel& kernel, emit::Precision precision, const jit::CudaCode& code);

  void wait();  // until all that is queued is done

 private:
  friend class CudaArray;
  friend class CudaKernel;
  struct Driver;
  CudaDevice(std::shared_ptr<const Driver> driver);
  void enter() const;  // makes this GPU the calling thread's
  void check(int result, const std::string& what) const;

  std::shared_ptr<const Driver> driver_;
  void* context_ = nullptr;
  void* stream_ = nullptr;
  std::string name_;
  int capability_ = 0;
};

// Memory of a GPU, freed at the end.
class CudaArray {
 public:
  CudaArray(CudaArray&& other) noexcept;
  CudaArray& operator=(CudaArray&&) = delete;
  ~CudaArray();

  std::size_t bytes() const { return bytes_; }
  std::uint64_t address() const { return address_; }

  // Throw std::logic_error when the sizes differ.
  void write(std::span<const std::byte> from);
  void read(std::span<std::byte> to) const;

 private:
  friend class CudaDevice;
  CudaArray(std::shared_ptr<CudaDevice> device, std::size_t bytes);
  std::shared_ptr<CudaDevice> device_;
  std::size_t bytes_;
  std::uint64_t address_ = 0;
};

// An input field of a launch: an array, or of a uniform field its numbers.
struct CudaInput {
  const CudaArray* array = nullptr;
  std::vector<double> numbers;
};

class CudaKernel {
 public:
  CudaKernel(CudaKernel&& other) noexcept;
  CudaKernel& operator=(CudaKernel&&) = delete;
  ~CudaKernel();

  int registers() const { return registers_; }      // of a thread, as the driver says
  int local_bytes() const { return local_bytes_; }  // of a thread, spills included

  // Queues the kernel for `elements` elements; arrays are laid out as compiler/emit/cuda/print.hpp says. `nodes`: null
  // for a kernel without corners. Throws std::logic_error when the fields do not fit the kernel.
  void launch(std::span<const CudaInput> inputs, std::span<const CudaArray* const> outputs, const CudaArray* nodes,
              int elements, std::int64_t stride) const;

 private:
  friend class CudaDevice;
  CudaKernel(std::shared_ptr<CudaDevice> device, const ir::Kernel& kernel, emit::Precision precision,
             const jit::CudaCode& code);
  std::shared_ptr<CudaDevice> device_;
  std::string name_;
  emit::Precision precision_;
  std::uint32_t corners_;
  std::vector<ir::Field> inputs_;
  std::size_t outputs_;
  void* module_ = nullptr;
  void* function_ = nullptr;
  int registers_ = 0, local_bytes_ = 0;
};

}  // namespace proxima::device
