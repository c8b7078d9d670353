#include "runtime/device/cuda_graph.hpp"

#include <algorithm>
#include <utility>

#include "runtime/device/cuda_driver.hpp"

namespace proxima::device {
namespace {

// Graphs that are kept. A step has one or two: what changes within it are vectors that change places.
constexpr std::size_t most = 8;

}  // namespace

CudaGraph::CudaGraph(std::shared_ptr<CudaDevice> device, std::vector<CudaCommand> commands)
    : device_(std::move(device)), commands_(std::move(commands)) {
  if (device_->driver_->has_graphs()) capture();
}

// Work that is on its way is not disturbed: the driver takes the graph away when it is done.
CudaGraph::~CudaGraph() {
  if (executable_ == nullptr) return;
  device_->driver_->f.set_context(handle<cuda::Context>(device_->context_));
  device_->driver_->f.destroy_executable(handle<cuda::Executable>(executable_));
}

// Not on the stream of work, to which other threads may send.
void CudaGraph::capture() {
  const cuda::Functions& f = device_->driver_->f;
  const auto stream = handle<cuda::Stream>(device_->captures_);
  device_->enter();
  const std::scoped_lock lock(device_->capturing_);
  device_->check(f.begin_capture(stream, cuda::capture_of_this_thread), "capturing a graph");
  cuda::Graph captured = nullptr;
  try {
    queue(device_->captures_);
  } catch (...) {
    if (f.end_capture(stream, &captured) == 0) f.destroy_graph(captured);
    throw;
  }
  device_->check(f.end_capture(stream, &captured), "capturing a graph");
  cuda::Executable executable = nullptr;
  const cuda::Result made = f.instantiate(&executable, captured, 0);
  f.destroy_graph(captured);
  device_->check(made, "making a graph");
  executable_ = executable;
}

void CudaGraph::queue(void* to) const {
  const cuda::Functions& f = device_->driver_->f;
  const auto stream = handle<cuda::Stream>(to);
  const auto one = [&](const CudaCommand& command) {
    std::vector<std::uint64_t> numbers = command.numbers;
    if (command.module == nullptr)
      return numbers.size() == 3 ? f.copy_within(numbers[0], numbers[1], numbers[2], stream)
                                 : f.fill(numbers[0], 0, numbers[1], stream);
    std::vector<void*> arguments;
    arguments.reserve(command.first.size());
    for (const std::size_t first : command.first) arguments.push_back(&numbers[first]);
    return f.launch(handle<cuda::Function>(command.function), static_cast<unsigned>(command.blocks), 1, 1,
                    static_cast<unsigned>(command.threads), 1, 1, 0, stream, arguments.data(), nullptr);
  };
  for (const CudaCommand& command : commands_)
    device_->check(one(command), command.module == nullptr ? command.name : command.name + ": launching it");
}

void CudaGraph::launch() const {
  device_->enter();
  if (executable_ == nullptr) return queue(device_->stream_);
  device_->check(
      device_->driver_->f.launch_graph(handle<cuda::Executable>(executable_), handle<cuda::Stream>(device_->stream_)),
      "launching a graph");
}

const CudaGraph& CudaGraphs::record(const std::function<void()>& queue) {
  std::vector<CudaCommand> commands;
  {
    CudaRecorder recorder(*device_);
    queue();
    commands = recorder.take();
  }
  const auto known = std::ranges::find(graphs_, commands, &CudaGraph::commands);
  if (known != graphs_.end())
    graphs_.splice(graphs_.begin(), graphs_, known);
  else
    graphs_.emplace_front(device_, std::move(commands));
  if (graphs_.size() > most) graphs_.pop_back();
  return graphs_.front();
}

}  // namespace proxima::device
