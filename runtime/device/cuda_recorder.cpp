#include "runtime/device/cuda_recorder.hpp"

#include <stdexcept>

#include "runtime/device/cuda_lane.hpp"

namespace proxima::device {
namespace {

thread_local CudaRecorder* current = nullptr;

}  // namespace

CudaRecorder::CudaRecorder(const CudaDevice& device) : device_(&device) {
  if (current != nullptr || CudaLane::of(device) != nullptr)
    throw std::logic_error("CudaRecorder: the thread has a lane, or records already");
  current = this;
}

CudaRecorder::~CudaRecorder() { current = nullptr; }

CudaRecorder* CudaRecorder::of(const CudaDevice& device) {
  return current != nullptr && current->device_ == &device ? current : nullptr;
}

void CudaRecorder::copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  commands_.push_back({.name = "copying within it", .numbers = {to, from, bytes}});
}

void CudaRecorder::clear(std::uint64_t at, std::size_t bytes) {
  commands_.push_back({.name = "clearing", .numbers = {at, bytes}});
}

}  // namespace proxima::device
