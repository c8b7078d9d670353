// Tables of numbers and structures on a GPU.
#pragma once

#include <ranges>
#include <span>

#include "runtime/device/cuda_engine.hpp"

namespace proxima::device {

// Memory with a copy of these values.
template <std::ranges::contiguous_range Values>
CudaArray uploaded(CudaEngine& engine, const Values& values) {
  return engine.device().upload(std::as_bytes(std::span(values)));
}

// The same for the calling thread alone: no other world may look at it (CudaDevice::upload_own).
template <std::ranges::contiguous_range Values>
CudaArray uploaded_own(CudaEngine& engine, const Values& values) {
  return engine.device().upload_own(std::as_bytes(std::span(values)));
}

}  // namespace proxima::device
