// From a kernel, or a text of kernels/, to code on the GPU: by NVRTC, cached on disk.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "compiler/jit/cuda_store.hpp"
#include "compiler/support/hash.hpp"
#include "runtime/device/cuda_kernel.hpp"

namespace proxima::device {

// Thread-safe.
class CudaEngine {
 public:
  // The first GPU. Throws Error of one line where there is no driver, no GPU or no NVRTC, or the GPU is too old for it.
  explicit CudaEngine(const std::filesystem::path& cache);

  CudaDevice& device() const { return *device_; }
  const std::string& architecture() const { return architecture_; }  // "sm_90"

  // The same kernel gives the same object.
  std::shared_ptr<const CudaKernel> compile(const ir::Kernel& kernel,
                                            emit::Precision precision = emit::Precision::fp64);
  // Memory with these values, which stay what they are. While somebody has it, the same values are there once.
  std::shared_ptr<const CudaArray> constant(std::span<const std::byte> values);
  // `name`: for messages, and the same for the same text.
  std::shared_ptr<const CudaModule> compile_text(const std::string& name, std::string_view text);

 private:
  std::shared_ptr<CudaDevice> device_;
  jit::CudaStore store_;
  std::string architecture_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const CudaKernel>> kernels_;
  std::map<std::string, std::shared_ptr<const CudaModule>> texts_;
  std::map<Hash, std::weak_ptr<const CudaArray>> constants_;
};

}  // namespace proxima::device
