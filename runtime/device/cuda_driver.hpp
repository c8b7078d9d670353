// The CUDA driver, loaded. Internal to this room.
#pragma once

#include <string>

#include "runtime/device/cuda.hpp"
#include "runtime/device/cuda_api.hpp"

namespace proxima::device {

struct CudaDevice::Driver {
  cuda::Functions f{};

  // $PROXIMA_CUDA_DRIVER, if set, else libcuda.so.1; never closed: drivers keep threads and state of their own. Throws
  // Error where there is none, or one that is too old.
  Driver();
  bool has_graphs() const;
  std::string words(cuda::Result result) const;
};

template <class T>
T handle(void* pointer) {
  return static_cast<T>(pointer);
}

}  // namespace proxima::device
