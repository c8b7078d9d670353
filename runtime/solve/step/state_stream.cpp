#include "runtime/solve/step/state_stream.hpp"

#include <utility>

namespace proxima::solve {

std::function<State()> StateStream::send(const CudaState& state) {
  std::vector<const device::CudaArray*> arrays = {&state.positions.array(), &state.velocities.array()};
  if (state.previous_positions) {
    arrays.push_back(&state.previous_positions->array());
    arrays.push_back(&state.previous_velocities->array());
  }
  for (const auto& of_region : state.history)
    for (const auto& history : of_region) arrays.push_back(&history.array());
  std::size_t bytes = 0;
  for (const auto* array : arrays) bytes += array->bytes();

  const std::size_t slot = std::exchange(next_, 1 - next_);
  auto& download = downloads_[slot];
  if (room_[slot] < bytes) {
    download.reset();
    download = std::make_unique<device::CudaDownload>(objective_.algebra().engine().device(), bytes);
    room_[slot] = bytes;
  }
  download->start(arrays);
  return [this, from = download.get(), numbers = bytes / sizeof(double), two = state.previous_positions.has_value(),
          substeps = state.substeps, touching = state.touching] {
    const auto all = from->wait();
    State result = read({reinterpret_cast<const double*>(all.data()), numbers}, two);
    result.substeps = substeps;
    result.touching = touching;
    return result;
  };
}

State StateStream::read(std::span<const double> numbers, bool two_states) const {
  const std::size_t size = 3 * objective_.host().nodes();
  State state;
  const auto take = [&](std::vector<double>& to) {
    to.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(size));
    numbers = numbers.subspan(size);
  };
  take(state.positions);
  take(state.velocities);
  if (two_states) {
    take(state.previous_positions);
    take(state.previous_velocities);
  }
  state.history.resize(objective_.history_size());
  objective_.add_rows(numbers, state.history);
  return state;
}

}  // namespace proxima::solve
