#include "tests/gpu/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <string_view>

#include "compiler/emit/cuda/print.hpp"
#include "runtime/device/launch.hpp"
#include "tests/gpu/device_run.hpp"
#include "tests/gpu/gather_timing.hpp"
#include "tests/gpu/timed_kernels.hpp"
#include "tests/jit/energy_batches.hpp"

namespace proxima::gpu {

std::string_view asset_hand_written_cu();  // the text of that file

namespace {

using device::AlignedVector;
using emit::Precision;
using Results = std::vector<std::vector<double>>;

constexpr int device_repetitions = 25, processor_repetitions = 7;

std::string hand_written_text(Precision precision) {
  const bool fp64 = precision == Precision::fp64;
  return fmt::format("typedef {} real;\n#define LOG {}\n{}", fp64 ? "double" : "float", fp64 ? "log" : "logf",
                     asset_hand_written_cu());
}

// The first result that is off by more than `relative` of the largest of its field; "" where there is none.
std::string difference(const ir::Kernel& kernel, const Results& found, const Results& right, double relative,
                       const std::string& whose) {
  for (std::size_t f = 0; f < kernel.outputs.size(); ++f) {
    // What an iteration met on its way is decided by roundings.
    if (jit::testing::is_report(kernel.outputs[f]) || kernel.outputs[f].name == "pivot") continue;
    double largest = 0;
    for (const double value : right[f]) largest = std::max(largest, std::fabs(value));
    for (std::size_t k = 0; k < right[f].size(); ++k)
      if (!(std::fabs(found[f][k] - right[f][k]) <= relative * largest))
        return fmt::format("{}, number {} of {} is {}, {} {}, the largest of all {}", kernel.name, k,
                           kernel.outputs[f].name, found[f][k], whose, right[f][k], largest);
  }
  return "";
}

// The vector kernel on all threads: its time and its results.
template <class T>
std::pair<Time, Results> on_processor(jit::KernelStore& store, const TimedKernel& timed) {
  const auto kernel = store.get(timed.kernel, timed.precision);
  const auto& batch = timed.batch;
  // A kernel without corners still needs tiles: as if each element had one node.
  const bool alone = timed.kernel.corners == 0;
  const auto nodes = alone ? std::vector<std::int32_t>(batch.elements, 0) : batch.nodes;
  const auto tiling = device::Tiling::make(nodes, std::max(1, static_cast<int>(timed.kernel.corners)), kernel->lanes);
  std::vector<AlignedVector<T>> inputs, outputs;
  for (std::size_t f = 0; f < batch.fields.size(); ++f) {
    const ir::Field& field = timed.kernel.inputs[f];
    const auto& values = batch.fields[f];
    if (field.access == ir::Access::element) {
      const auto tiles = tiling.field(values, static_cast<int>(field.components));
      inputs.emplace_back(tiles.begin(), tiles.end());
    } else {
      inputs.emplace_back(values.begin(), values.end());
    }
  }
  for (const ir::Field& field : timed.kernel.outputs)
    outputs.emplace_back(tiling.scalars(static_cast<int>(field.components)));
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const auto& values : inputs) in.push_back(values.data());
  for (auto& values : outputs) out.push_back(values.data());
  const Time time = time_of(
      [&] {
        const auto start = std::chrono::steady_clock::now();
        device::launch(*kernel, tiling, in, out);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      },
      processor_repetitions);
  Results results;
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const int components = static_cast<int>(timed.kernel.outputs[f].components);
    auto& values = results.emplace_back();
    values.reserve(batch.elements * static_cast<std::size_t>(components));
    for (std::size_t e = 0; e < batch.elements; ++e)
      for (int c = 0; c < components; ++c)
        values.push_back(static_cast<double>(outputs[f][tiling.at(e, c, components)]));
  }
  return {time, std::move(results)};
}

// Reads and writes as much as a kernel of 32 numbers an element.
double copy_bandwidth(const std::shared_ptr<device::CudaDevice>& device, const jit::CudaStore& store,
                      const std::string& architecture, std::size_t elements) {
  ir::Kernel kernel;
  kernel.name = "copy_pairs";
  kernel.inputs = {{"from", ir::Access::element, 2}};
  kernel.outputs = {{"to", ir::Access::element, 2}};
  const device::CudaKernel loaded(
      device->load(kernel.name,
                   store.nvrtc().compile(kernel.name, hand_written_text(Precision::fp64), kernel.name, architecture)),
      kernel, Precision::fp64);
  const std::size_t pairs = 16 * elements, bytes = pairs * 2 * sizeof(double);
  auto from = device->allocate(bytes), to = device->allocate(bytes);
  const std::vector<double> ones(2 * pairs, 1.0);
  from.write(std::as_bytes(std::span(ones)));
  const device::CudaInput input{&from, {}};
  const device::CudaArray* output = &to;
  const auto launch = [&] {
    loaded.launch({&input, 1}, {&output, 1}, nullptr, static_cast<int>(pairs), static_cast<std::int64_t>(pairs));
  };
  const Time time = time_of([&] { return device->milliseconds(launch); }, device_repetitions);
  return 2 * static_cast<double>(bytes) / time.median;
}

// The same fields with the parameters that the rival takes; nothing is computed before its launch.
ir::Kernel as_rival_takes_it(const TimedKernel& timed, jit::testing::Batch& batch) {
  ir::Kernel kernel = timed.kernel;
  kernel.name = timed.rival;
  kernel.graph = {};
  kernel.results.clear();
  batch = timed.batch;
  for (std::size_t f = kernel.inputs.size(); f-- > 0;) {
    if (kernel.inputs[f].access != ir::Access::uniform) continue;
    kernel.inputs.erase(kernel.inputs.begin() + static_cast<std::ptrdiff_t>(f));
    batch.fields.erase(batch.fields.begin() + static_cast<std::ptrdiff_t>(f));
  }
  if (!timed.parameters.empty()) {
    kernel.inputs.push_back({"parameters", ir::Access::uniform, static_cast<std::uint32_t>(timed.parameters.size())});
    batch.fields.push_back(timed.parameters);
  }
  return kernel;
}

}  // namespace

Time time_of(const std::function<double()>& milliseconds, int repetitions) {
  for (int k = 0; k < 3; ++k) milliseconds();
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(repetitions));
  for (int k = 0; k < repetitions; ++k) times.push_back(1e3 * milliseconds());
  std::ranges::sort(times);
  const std::size_t quarter = times.size() / 4;
  const double median = times[times.size() / 2];
  return {median, (times[times.size() - 1 - quarter] - times[quarter]) / median};
}

Timings measure(const std::shared_ptr<device::CudaDevice>& device, const jit::CudaStore& store,
                jit::KernelStore& processor, const std::vector<ir::Energy>& energies, int cells) {
  const std::string architecture = store.nvrtc().architecture_for(device->capability());
  const bench::Grid grid(cells);
  Timings timings{.elements = grid.elements(),
                  .bandwidth = copy_bandwidth(device, store, architecture, grid.elements()),
                  .kernels = {}};
  timings.kernels.push_back(measure_gather(*device, store, architecture, hand_written_text(Precision::fp64), grid));
  for_each_timed(energies, grid, [&](const TimedKernel& timed) {
    const bool fp64 = timed.precision == Precision::fp64;
    Measured measured{.title = timed.title,
                      .precision = timed.precision,
                      .elements = grid.elements(),
                      .bytes = bytes_of(timed),
                      .at_most = timed.at_most,
                      .difference = ""};
    const auto run = [&](const ir::Kernel& kernel, const jit::testing::Batch& batch, const jit::CudaCode& code,
                         NodeList list, Time& time) {
      const device::CudaKernel loaded(device->load(kernel.name, code), kernel, timed.precision);
      const DeviceRun on_device(*device, kernel, timed.precision, batch, list);
      time = time_of([&] { return device->milliseconds([&] { on_device.launch(loaded); }); }, device_repetitions);
      measured.registers = loaded.function().registers();
      measured.local_bytes = loaded.function().local_bytes();
      return on_device.results();
    };
    Results rival;
    if (!timed.rival.empty()) {
      jit::testing::Batch batch;
      const ir::Kernel kernel = as_rival_takes_it(timed, batch);
      const std::string text = hand_written_text(timed.precision);
      rival = run(kernel, batch, store.nvrtc().compile(timed.rival, text, timed.rival, architecture),
                  NodeList::element_rows, measured.rival);
    }
    const Results found = run(timed.kernel, timed.batch, store.get(timed.kernel, timed.precision, architecture),
                              NodeList::corner_rows, measured.device);
    const auto [time, right] = fp64 ? on_processor<double>(processor, timed) : on_processor<float>(processor, timed);
    measured.processor = time;
    measured.difference = difference(timed.kernel, found, right, fp64 ? 1e-12 : 1e-5, "the processor's");
    if (measured.difference.empty() && !rival.empty())
      measured.difference = difference(timed.kernel, rival, found, fp64 ? 1e-11 : 1e-4, "by hand; generated");
    timings.kernels.push_back(measured);
  });
  return timings;
}

}  // namespace proxima::gpu
