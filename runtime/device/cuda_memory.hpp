// Memory of a GPU, kept when it is given back, and handed out again: solvers make and drop vectors all the time, and
// the driver waits for the GPU at each of its own releases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace proxima::device {

// Thread-safe.
class CudaMemory {
 public:
  // Called under a lock. `allocate`: returns 0 where the GPU has no such memory left.
  struct Driver {
    std::function<std::uint64_t(std::size_t bytes)> allocate;
    std::function<void(std::uint64_t address)> release;
  };
  explicit CudaMemory(Driver driver) : driver_(std::move(driver)) {}
  ~CudaMemory() { drop(); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  // 0 where there is none left, even after all that was kept has gone back to the driver.
  std::uint64_t take(std::size_t bytes);
  void give(std::uint64_t address, std::size_t bytes);

  // While held, what is given may still be used by work that the stream does not know of: it is handed out again only
  // after `settle`, or the last `unhold`.
  void hold();
  void settle();
  void unhold();

 private:
  void settle_locked();
  void drop();

  const Driver driver_;
  std::mutex mutex_;
  int holders_ = 0;
  std::map<std::size_t, std::vector<std::uint64_t>> kept_;        // by size
  std::vector<std::pair<std::uint64_t, std::size_t>> unsettled_;  // address and size
};

}  // namespace proxima::device
