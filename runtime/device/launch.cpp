#include "runtime/device/launch.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "runtime/device/parallel.hpp"

namespace proxima::device {
namespace {

constexpr std::size_t elements_per_task = 2048;
constexpr std::size_t nodes_per_task = 4096;

void require_fit(const jit::CompiledKernel& kernel, const Tiling& tiling, std::size_t inputs, std::size_t outputs) {
  if (inputs != kernel.inputs.size() || outputs != kernel.outputs.size())
    throw std::logic_error(kernel.name + ": launched with the wrong number of fields");
  const bool fits = kernel.corners == 0 || static_cast<int>(kernel.corners) == tiling.corners;
  if (kernel.lanes != tiling.lanes || !fits)
    throw std::logic_error(kernel.name + ": launched on elements laid out for another kernel");
}

}  // namespace

Tiling Tiling::make(std::span<const std::int32_t> element_nodes, int corners, int lanes) {
  Tiling tiling;
  tiling.lanes = lanes;
  tiling.corners = corners;
  tiling.elements = element_nodes.size() / static_cast<std::size_t>(corners);
  const auto width = static_cast<std::size_t>(lanes);
  tiling.tiles = (tiling.elements + width - 1) / width;
  tiling.nodes.resize(tiling.scalars(corners));
  for (std::size_t slot = 0; slot < tiling.tiles * width; ++slot) {
    const std::size_t element = std::min(slot, tiling.elements - 1);
    for (int c = 0; c < corners; ++c)
      tiling.nodes[tiling.at(slot, c, corners)] =
          element_nodes[element * static_cast<std::size_t>(corners) + static_cast<std::size_t>(c)];
  }
  return tiling;
}

AlignedVector<double> Tiling::field(std::span<const double> values, int components) const {
  AlignedVector<double> result(scalars(components));
  for (std::size_t slot = 0; slot < tiles * static_cast<std::size_t>(lanes); ++slot) {
    const std::size_t element = std::min(slot, elements - 1);
    for (int c = 0; c < components; ++c)
      result[at(slot, c, components)] =
          values[element * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)];
  }
  return result;
}

void launch(const jit::CompiledKernel& kernel, const Tiling& tiling, std::span<const void* const> inputs,
            std::span<void* const> outputs) {
  require_fit(kernel, tiling, inputs.size(), outputs.size());
  const std::size_t chunk = std::max<std::size_t>(1, elements_per_task / static_cast<std::size_t>(tiling.lanes));
  parallel_chunks(tiling.tiles, chunk, [&](std::size_t begin, std::size_t end) {
    kernel.function(inputs.data(), outputs.data(), tiling.nodes.data(), static_cast<std::int64_t>(begin),
                    static_cast<std::int64_t>(end));
  });
}

void launch_tiles(const jit::CompiledKernel& kernel, const Tiling& tiling, std::size_t first, std::size_t last,
                  std::span<const void* const> inputs, std::span<double* const> outputs) {
  require_fit(kernel, tiling, inputs.size(), outputs.size());
  const auto width = static_cast<std::size_t>(tiling.lanes);
  std::vector<const void*> from(inputs.begin(), inputs.end());
  for (std::size_t k = 0; k < from.size(); ++k)
    if (kernel.inputs[k].access == ir::Access::element)
      from[k] = static_cast<const double*>(from[k]) + first * kernel.inputs[k].components * width;
  const std::vector<void*> to(outputs.begin(), outputs.end());
  kernel.function(from.data(), to.data(),
                  tiling.nodes.data() + first * static_cast<std::size_t>(tiling.corners) * width, 0,
                  static_cast<std::int64_t>(last - first));
}

NodeGather::NodeGather(const Tiling& tiling, std::size_t nodes) : lanes_(tiling.lanes) {
  if (tiling.elements == 0) return;
  const auto [low, high] = std::minmax_element(tiling.nodes.begin(), tiling.nodes.end());
  if (*low < 0 || static_cast<std::size_t>(*high) >= nodes) throw std::logic_error("an element has an absent node");
  const auto base = static_cast<std::size_t>(*low);
  const auto each = [&](auto&& visit) {
    for (std::size_t e = 0; e < tiling.elements; ++e)
      for (int c = 0; c < tiling.corners; ++c)
        visit(e, c, static_cast<std::size_t>(tiling.nodes[tiling.at(e, c, tiling.corners)]));
  };
  std::vector<std::int64_t> next(static_cast<std::size_t>(*high) - base + 1);  // how many, then where the next one goes
  each([&](std::size_t, int, std::size_t node) { ++next[node - base]; });
  std::int64_t total = 0;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i] == 0) continue;
    node_.push_back(static_cast<std::int32_t>(base + i));
    first_.push_back(total);
    total += std::exchange(next[i], total);
  }
  first_.push_back(total);
  offset_.resize(static_cast<std::size_t>(total));
  each([&](std::size_t e, int c, std::size_t node) {
    offset_[static_cast<std::size_t>(next[node - base]++)] =
        static_cast<std::int64_t>(tiling.at(e, 3 * c, 3 * tiling.corners));
  });
}

void NodeGather::add(std::span<const double> forces, std::span<double> y) const {
  parallel_chunks(node_.size(), nodes_per_task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double total[3] = {};
      for (auto k = static_cast<std::size_t>(first_[i]); k < static_cast<std::size_t>(first_[i + 1]); ++k) {
        const double* force = forces.data() + offset_[k];
        total[0] += force[0];
        total[1] += force[lanes_];
        total[2] += force[2 * lanes_];
      }
      double* sum = &y[3 * static_cast<std::size_t>(node_[i])];
      for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += total[axis];
    }
  });
}

}  // namespace proxima::device
