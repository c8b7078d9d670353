// Work that a GPU is asked for again and again, as CUDA graphs: queued as a whole, by one call of the driver.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "runtime/device/cuda_recorder.hpp"

namespace proxima::device {

class CudaGraph {
 public:
  // Captures the commands, on a stream of its own. A driver without graphs: keeps them. Throws std::runtime_error when
  // the driver refuses.
  CudaGraph(std::shared_ptr<CudaDevice> device, std::vector<CudaCommand> commands);
  ~CudaGraph();
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;

  // Queues all of it; without graphs, command by command. The memory that the commands name has to be what it was.
  void launch() const;
  const std::vector<CudaCommand>& commands() const { return commands_; }

 private:
  void capture();
  void queue(void* stream) const;

  std::shared_ptr<CudaDevice> device_;
  const std::vector<CudaCommand> commands_;
  void* executable_ = nullptr;  // null: the driver has no graphs
};

// One thread of callers at a time.
class CudaGraphs {
 public:
  explicit CudaGraphs(std::shared_ptr<CudaDevice> device) : device_(std::move(device)) {}

  // What `queue` asks the GPU for, which is not done yet. The graph of one of the last few recordings when all of its
  // launches and arguments are the same, else a new one. It stays until the next call. Throws std::logic_error for what
  // cannot be recorded (CudaRecorder): memory has to be there, and code to be loaded, as after doing the same once.
  const CudaGraph& record(const std::function<void()>& queue);

 private:
  std::shared_ptr<CudaDevice> device_;
  std::list<CudaGraph> graphs_;  // the last used one first
};

}  // namespace proxima::device
