// A tree of boxes whose shape is made once and whose boxes follow what moves in them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::contact {

using mesh::Vector3;

struct Bounds {
  Vector3 lower, upper;

  bool meets(const Bounds& other) const {
    for (std::size_t i = 0; i < 3; ++i)
      if (lower[i] > other.upper[i] || other.lower[i] > upper[i]) return false;
    return true;
  }
  void add(const Bounds& other);
  void grow(double by);
};

class BoxTree {
 public:
  // Of as many things as there are centres, which say how the tree is divided.
  explicit BoxTree(std::span<const Vector3> centres);

  // Gives each thing its box.
  void fit(std::span<const Bounds> boxes);

  // Calls visit(thing) for each whose box meets `box`, in an order that depends on the tree only.
  template <class Visit>
  void visit_all(const Bounds& box, const Visit& visit) const {
    std::array<std::uint32_t, 64> open;  // the tree halves numbers of 32 bits
    std::size_t count = 0;
    if (!nodes_.empty()) open[count++] = 0;
    while (count > 0) {
      const std::uint32_t at = open[--count];
      const Node& node = nodes_[at];
      if (!node.box.meets(box)) continue;
      if (node.end - node.begin > leaf_size) {
        open[count++] = node.second;
        open[count++] = at + 1;
        continue;
      }
      for (std::uint32_t k = node.begin; k < node.end; ++k)
        if (boxes_[k].meets(box)) visit(static_cast<std::size_t>(order_[k]));
    }
  }

 private:
  static constexpr std::uint32_t leaf_size = 4;
  struct Node {
    Bounds box;
    std::uint32_t begin, end;  // of order_
    std::uint32_t second = 0;  // the second half; the first is the next node
  };
  void divide(std::span<const Vector3> centres, std::uint32_t begin, std::uint32_t end);

  std::vector<Node> nodes_;  // each before its halves
  std::vector<std::uint32_t> order_;
  std::vector<Bounds> boxes_;  // in that order
};

}  // namespace proxima::contact
