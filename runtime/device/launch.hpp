// Elements laid out for the kernels (tiles), launching a kernel over them, and gathering element results to nodes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/device/aligned.hpp"

namespace proxima::device {

// A set of elements with `corners` nodes each, in tiles of `lanes`. Padding lanes repeat the last element; what they
// produce is never gathered.
struct Tiling {
  int lanes = 1;
  int corners = 0;
  std::size_t elements = 0;
  std::size_t tiles = 0;
  AlignedVector<std::int32_t> nodes;  // [tile][corner][lane]

  // `element_nodes`: corners numbers an element, element after element.
  static Tiling make(std::span<const std::int32_t> element_nodes, int corners, int lanes);

  std::size_t scalars(int components) const { return tiles * static_cast<std::size_t>(components * lanes); }
  // Where component c of element e lies in an element field.
  std::size_t at(std::size_t element, int component, int components) const {
    const auto width = static_cast<std::size_t>(lanes);
    return ((element / width) * static_cast<std::size_t>(components) + static_cast<std::size_t>(component)) * width +
           element % width;
  }
  // An element field from `components` values an element, element after element; padding repeats the last element.
  AlignedVector<double> field(std::span<const double> values, int components) const;
};

// Runs the kernel over all tiles. inputs and outputs: base pointers in the order of the kernel's fields. Throws
// std::logic_error when their number, the lanes or the corners do not fit the kernel; one without corners fits any.
void launch(const jit::CompiledKernel& kernel, const Tiling& tiling, std::span<const void* const> inputs,
            std::span<void* const> outputs);

// The same on tiles first <= t < last alone, in the calling thread: inputs are those of all tiles, outputs hold these.
// For kernels in fp64.
void launch_tiles(const jit::CompiledKernel& kernel, const Tiling& tiling, std::size_t first, std::size_t last,
                  std::span<const void* const> inputs, std::span<double* const> outputs);

// Sums element vectors to nodes, each node's elements in increasing order: the same bits for any thread count. Costs
// and keeps what the elements do, not what all nodes would: a model may have very many sets.
class NodeGather {
 public:
  NodeGather() = default;
  // Offsets are those of an element field of corners*3 components of `tiling`.
  NodeGather(const Tiling& tiling, std::size_t nodes);

  // y[node] += sum over incident (element, corner) of forces[element][corner]; y has 3 scalars a node.
  void add(std::span<const double> forces, std::span<double> y) const;

 private:
  std::vector<std::int32_t> node_;    // those that the elements have, increasing
  std::vector<std::int64_t> first_;   // of each of them and the end
  std::vector<std::int64_t> offset_;  // of the x component of an (element, corner) pair
  int lanes_ = 1;
};

}  // namespace proxima::device
