#include "runtime/solve/step/state_upload.hpp"

#include <algorithm>
#include <vector>

namespace proxima::solve {

void StateUpload::send(const State& state) {
  const std::vector<double> history = objective_.rows_of(state.history);
  const std::vector<double>* const parts[] = {&state.positions, &state.velocities, &state.previous_positions,
                                              &state.previous_velocities, &history};
  std::size_t bytes = 0;
  for (const auto* part : parts) bytes += part->size() * sizeof(double);
  if (bytes_ != bytes) {
    upload_.reset();
    upload_ = std::make_unique<device::CudaUpload>(objective_.algebra().engine().device(), bytes);
    bytes_ = bytes;
  }
  auto room = upload_->room().begin();
  for (const auto* part : parts) room = std::ranges::copy(std::as_bytes(std::span(*part)), room).out;
  upload_->start();
  two_states_ = !state.previous_positions.empty();
  substeps_ = state.substeps;
}

CudaState StateUpload::receive() {
  CudaState state{objective_.vector(), objective_.vector(), objective_.zero_history()};
  std::vector<device::CudaArray*> arrays = {&state.positions.array(), &state.velocities.array()};
  if (two_states_) {
    arrays.push_back(&state.previous_positions.emplace(objective_.vector()).array());
    arrays.push_back(&state.previous_velocities.emplace(objective_.vector()).array());
  }
  for (auto& of_region : state.history)
    for (auto& history : of_region) arrays.push_back(&history.array());
  upload_->fill(arrays);
  state.substeps = substeps_;
  return state;
}

}  // namespace proxima::solve
