// Iterations of a solver that are queued on a GPU before the host knows whether they are needed, each as a CUDA graph.
#pragma once

#include <functional>

#include "runtime/device/cuda_graph.hpp"

namespace proxima::device {

// What the solvers that work with the same vectors have in common. One thread of callers at a time. A thread with a
// lane (cuda_batch.hpp) looks at the numbers after each iteration, and its launches are merged with those of others
// instead of captured.
struct CudaAhead {
  explicit CudaAhead(std::shared_ptr<CudaDevice> gpu) : device(std::move(gpu)), graphs(device) {}

  // How many iterations to queue next, after so many in which a residual has fallen from `start` to `now`: a share of
  // those that are left to `target` if it goes on falling as it did, or as many again where it does not.
  int next(double start, double now, double target, int iterations) const;

  std::shared_ptr<CudaDevice> device;
  CudaGraphs graphs;
  // For tests and measurements: whether there are graphs, and how many iterations are queued at most before the host
  // looks at their numbers.
  bool with_graphs = true;
  int most = 8;
};

// Work that is asked for again and again.
class CudaRepeated {
 public:
  // Keeps a reference to `ahead`. `queued`: it only queues work, the same each time, and takes no memory after the
  // first.
  CudaRepeated(CudaAhead& ahead, std::function<void()> work, bool queued = true)
      : ahead_(&ahead), work_(std::move(work)), queued_(queued) {}

  // Queued work: the first time launch by launch, which brings what kernels need to the GPU and finds the memory, then
  // as a graph. Until it has been asked for the last time nobody else may record by `ahead`.
  void operator()();
  // How often to ask for it next: as of CudaAhead, or once where it waits for something itself.
  int next(double start, double now, double target, int iterations) const {
    return queued_ ? ahead_->next(start, now, target, iterations) : 1;
  }

 private:
  CudaAhead* ahead_;
  std::function<void()> work_;
  bool queued_;
  bool begun_ = false;
  const CudaGraph* graph_ = nullptr;
};

}  // namespace proxima::device
