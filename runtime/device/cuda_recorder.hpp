// What a thread asks a GPU for, kept in the place of being done: launches with the values of their arguments, copies
// within the GPU, clearing. What cuda_graph.hpp makes graphs of.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/cuda.hpp"

namespace proxima::device {

struct CudaCommand {
  std::shared_ptr<const CudaModule> module{};  // of the kernel, whose code it keeps there; null: a copy, or clearing
  std::string name{};                          // for messages
  void* function = nullptr;
  std::size_t blocks = 0, threads = 0;
  // Of a kernel its arguments, each in whole numbers of 8 bytes, and where each begins; of a copy where to, where from
  // and how many bytes; of clearing where and how many bytes.
  std::vector<std::uint64_t> numbers{};
  std::vector<std::size_t> first{};

  bool operator==(const CudaCommand&) const = default;
};

// While it lives, the calling thread's requests are kept. All that cannot be, since it would have to be done once or
// waited for (memory, copies from the host and to it, loading code), throws std::logic_error.
class CudaRecorder {
 public:
  // Throws std::logic_error when the thread is recording already, or has a lane on this GPU.
  explicit CudaRecorder(const CudaDevice& device);
  ~CudaRecorder();
  CudaRecorder(const CudaRecorder&) = delete;
  CudaRecorder& operator=(const CudaRecorder&) = delete;

  // That of the calling thread on this GPU; null: it does not record.
  static CudaRecorder* of(const CudaDevice& device);

  void launch(CudaCommand command) { commands_.push_back(std::move(command)); }
  void copy(std::uint64_t to, std::uint64_t from, std::size_t bytes);
  void clear(std::uint64_t at, std::size_t bytes);
  std::vector<CudaCommand> take() { return std::move(commands_); }

 private:
  const CudaDevice* device_;
  std::vector<CudaCommand> commands_;
};

}  // namespace proxima::device
