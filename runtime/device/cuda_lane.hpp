// What a thread of several sees in the place of a GPU's stream: its launches and copies are kept, in order, until all
// of these threads wait; then what several of them ask for is done in one launch (cuda_batch.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "runtime/device/cuda.hpp"

namespace proxima::device {

struct CudaRequest {
  std::shared_ptr<const CudaTask> task;
  std::size_t blocks = 0, threads = 0;
  std::vector<std::uint64_t> row{};   // of the task's table
  std::vector<std::uint64_t> data{};  // where there is any, its address becomes row[2]

  // What can be done in one launch, of as many blocks as the larger has.
  bool like(const CudaRequest& other) const {
    return task == other.task && threads == other.threads && row.size() == other.row.size();
  }
};

class CudaLane {
 public:
  // What is done with bytes, as tasks: those of kernels/memory.cu.
  struct Words {
    std::shared_ptr<const CudaTask> copy, clear;
  };

  CudaLane(const CudaDevice& device, Words words) : device_(&device), words_(std::move(words)) {}

  // The lane of the calling thread on this GPU; null: what it asks for goes to the stream at once.
  static CudaLane* of(const CudaDevice& device);
  // Makes it the calling thread's, null: none; returns the one before. `wait`: waits until all that was asked for has
  // gone to the stream, and reads have been answered.
  static CudaLane* enter(CudaLane* lane);
  void set_wait(std::function<void()> wait) { wait_ = std::move(wait); }

  void launch(const std::shared_ptr<const CudaTask>& task, std::size_t blocks, std::size_t threads,
              std::span<const std::uint64_t> row);
  static bool takes(std::size_t bytes);  // a copy of so many, which is made with others' then
  // Return false for what is too large or of odd size; all that was asked for before has then gone to the stream, where
  // it is to be done directly. `read` waits.
  bool write(std::uint64_t to, std::span<const std::byte> from);
  bool read(std::span<std::byte> to, std::uint64_t from);
  bool copy(std::uint64_t to, std::uint64_t from, std::size_t bytes);
  bool clear(std::uint64_t at, std::size_t bytes);
  void wait() { wait_(); }

 private:
  friend class CudaBatch;
  CudaRequest& copy_words(std::uint64_t to, std::uint64_t from, std::size_t bytes);

  const CudaDevice* device_;
  const Words words_;
  std::function<void()> wait_;
  std::deque<CudaRequest> requests_;
  bool present_ = true;  // its thread may ask for more
  std::uint64_t read_from_ = 0;
  std::span<std::byte> read_to_{};  // empty: nothing is read
};

}  // namespace proxima::device
