#include "runtime/device/cuda_memory.hpp"

namespace proxima::device {

std::uint64_t CudaMemory::take(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = kept_.find(bytes); found != kept_.end() && !found->second.empty()) {
    const std::uint64_t address = found->second.back();
    found->second.pop_back();
    return address;
  }
  if (const std::uint64_t address = driver_.allocate(bytes)) return address;
  drop();
  return driver_.allocate(bytes);
}

void CudaMemory::give(std::uint64_t address, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (holders_ > 0)
    unsettled_.emplace_back(address, bytes);
  else
    kept_[bytes].push_back(address);
}

void CudaMemory::hold() {
  const std::scoped_lock lock(mutex_);
  ++holders_;
}

void CudaMemory::settle() {
  const std::scoped_lock lock(mutex_);
  settle_locked();
}

void CudaMemory::unhold() {
  const std::scoped_lock lock(mutex_);
  if (--holders_ == 0) settle_locked();
}

void CudaMemory::settle_locked() {
  for (const auto& [address, size] : unsettled_) kept_[size].push_back(address);
  unsettled_.clear();
}

// The driver waits for work that uses it.
void CudaMemory::drop() {
  for (const auto& [size, addresses] : kept_)
    for (const std::uint64_t address : addresses) driver_.release(address);
  kept_.clear();
}

}  // namespace proxima::device
