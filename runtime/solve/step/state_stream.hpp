// States on their way from a GPU to the host while steps go on.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "runtime/solve/step/cuda_state.hpp"

namespace proxima::solve {

class StateStream {
 public:
  explicit StateStream(const CudaObjective& objective) : objective_(objective) {}

  // Queues a copy of the state, which may change afterwards. What is returned waits for it; to be called before the
  // next but one is sent.
  std::function<State()> send(const CudaState& state);

 private:
  // From a state as it lies in a download.
  State read(std::span<const double> numbers, bool two_states) const;

  const CudaObjective& objective_;
  std::array<std::unique_ptr<device::CudaDownload>, 2> downloads_;  // made when a state is sent
  std::array<std::size_t, 2> room_{};                               // bytes
  std::size_t next_ = 0;
};

}  // namespace proxima::solve
