// A state on its way from the host to a GPU.
#pragma once

#include <memory>

#include "runtime/solve/step/cuda_state.hpp"

namespace proxima::solve {

class StateUpload {
 public:
  explicit StateUpload(const CudaObjective& objective) : objective_(objective) {}

  // It comes while work goes on, in one copy; to be received before the next one is sent.
  void send(const State& state);
  CudaState receive();

 private:
  const CudaObjective& objective_;
  std::unique_ptr<device::CudaUpload> upload_;  // made when a state is sent
  std::size_t bytes_ = 0;
  bool two_states_ = false;
  int substeps_ = 1;
};

}  // namespace proxima::solve
