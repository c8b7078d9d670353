#include "tests/gpu/gather_timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "compiler/emit/cuda/print.hpp"
#include "kernels/kernels.hpp"
#include "runtime/device/launch.hpp"

namespace proxima::gpu {
namespace {

using device::CudaArray;
using Numbers = std::vector<double>;

// Which (element, corner) pairs each node has, as 4 element + corner, node after node.
struct Pairs {
  std::vector<std::int32_t> first, pair;

  explicit Pairs(const bench::Grid& grid) : first(grid.positions.size() / 3 + 1), pair(grid.nodes.size()) {
    for (const std::int32_t node : grid.nodes) ++first[static_cast<std::size_t>(node) + 1];
    for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
    std::vector<std::int32_t> next = first;
    for (std::size_t k = 0; k < grid.nodes.size(); ++k)
      pair[static_cast<std::size_t>(next[static_cast<std::size_t>(grid.nodes[k])]++)] = static_cast<std::int32_t>(k);
  }
};

template <class T>
CudaArray upload(device::CudaDevice& device, const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  CudaArray array = device.allocate(bytes.size());
  array.write(bytes);
  return array;
}

Numbers download(const CudaArray& array) {
  Numbers values(array.bytes() / sizeof(double));
  array.read(std::as_writable_bytes(std::span(values)));
  return values;
}

std::string difference(const Numbers& found, const Numbers& right, const std::string& whose) {
  double largest = 0;
  for (const double value : right) largest = std::max(largest, std::fabs(value));
  for (std::size_t k = 0; k < right.size(); ++k)
    if (!(std::fabs(found[k] - right[k]) <= 1e-12 * largest))
      return fmt::format("gather, number {} is {}, {} {}, the largest of all {}", k, found[k], whose, right[k],
                         largest);
  return "";
}

}  // namespace

Measured measure_gather(device::CudaDevice& device, const jit::CudaStore& store, const std::string& architecture,
                        const std::string& hand_written, const bench::Grid& grid) {
  const std::size_t elements = grid.elements(), nodes = grid.positions.size() / 3;
  const std::size_t stride = (elements + emit::cuda_padding - 1) / emit::cuda_padding * emit::cuda_padding;
  Numbers by_element(12 * elements), by_row(12 * stride);
  for (std::size_t k = 0; k < by_element.size(); ++k) {
    by_element[k] = std::sin(static_cast<double>(k));
    by_row[k % 12 * stride + k / 12] = by_element[k];
  }
  const Pairs pairs(grid);
  std::vector<std::int64_t> offsets;
  offsets.reserve(pairs.pair.size());
  for (const std::int32_t pair : pairs.pair)
    offsets.push_back(3 * (pair % 4) * static_cast<std::int64_t>(stride) + pair / 4);
  std::vector<std::int32_t> numbers(nodes);
  for (std::size_t k = 0; k < nodes; ++k) numbers[k] = static_cast<std::int32_t>(k);

  const CudaArray forces = upload(device, by_row), first = upload(device, pairs.first),
                  pair = upload(device, pairs.pair), offset = upload(device, offsets), node = upload(device, numbers);
  CudaArray sums = device.allocate(3 * nodes * sizeof(double));
  const auto count = static_cast<int>(nodes);
  const auto step = static_cast<long long>(stride);
  constexpr int lanes = kernels::gather_lanes, block = kernels::gather_block;
  const auto run = [&](const auto& launch, Time& time) {
    time = time_of([&] { return device.milliseconds(launch); }, 25);
    sums.clear();  // the runtime's gather adds
    launch();
    return download(sums);
  };
  Measured measured{.title = "gather to nodes", .elements = elements, .at_most = 1.15, .difference = ""};
  const auto ours =
      device.load("gather.cu", store.get_text("gather.cu", std::string(kernels::asset_gather_cu()), architecture))
          ->function("gather");
  const auto rival =
      device.load("hand_written_gather", store.get_text("hand_written_gather", hand_written, architecture))
          ->function("hand_written_gather");
  const Numbers found =
      run([&] { ours.each(nodes * lanes, block, sums, forces, step, first, offset, node, count); }, measured.device);
  const Numbers by_hand =
      run([&] { rival.each(nodes * 4, 128, forces, first, pair, sums, count, step); }, measured.rival);
  measured.registers = ours.registers();
  measured.local_bytes = ours.local_bytes();
  // Forces, an offset of 8 bytes for each corner, and for each node its number, the first of its pairs and its sum,
  // which is read and written.
  measured.bytes = 12 * 8 + 4 * 8 + static_cast<double>(nodes) / static_cast<double>(elements) * (4 + 4 + 2 * 3 * 8);

  const auto tiling = device::Tiling::make(grid.nodes, 4, 1);
  const device::NodeGather gather(tiling, nodes);
  Numbers right(3 * nodes);
  measured.processor = time_of(
      [&] {
        std::ranges::fill(right, 0.0);
        const auto start = std::chrono::steady_clock::now();
        gather.add(by_element, right);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      },
      7);
  measured.difference = difference(found, right, "the processor's");
  if (measured.difference.empty()) measured.difference = difference(by_hand, found, "by hand; the runtime's");
  return measured;
}

}  // namespace proxima::gpu
