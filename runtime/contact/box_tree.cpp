#include "runtime/contact/box_tree.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/device/parallel.hpp"

namespace proxima::contact {

void Bounds::add(const Bounds& other) {
  for (std::size_t i = 0; i < 3; ++i) {
    lower[i] = std::min(lower[i], other.lower[i]);
    upper[i] = std::max(upper[i], other.upper[i]);
  }
}

void Bounds::grow(double by) {
  for (std::size_t i = 0; i < 3; ++i) {
    lower[i] -= by;
    upper[i] += by;
  }
}

BoxTree::BoxTree(std::span<const Vector3> centres) : order_(centres.size()), boxes_(centres.size()) {
  std::iota(order_.begin(), order_.end(), 0U);
  if (!centres.empty()) divide(centres, 0, static_cast<std::uint32_t>(centres.size()));
}

// Half of them on each side of the middle one along the longest axis.
void BoxTree::divide(std::span<const Vector3> centres, std::uint32_t begin, std::uint32_t end) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({{}, begin, end});
  if (end - begin <= leaf_size) return;
  Bounds all{centres[order_[begin]], centres[order_[begin]]};
  for (std::uint32_t k = begin; k < end; ++k) all.add({centres[order_[k]], centres[order_[k]]});
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (all.upper[i] - all.lower[i] > all.upper[axis] - all.lower[axis]) axis = i;
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](std::uint32_t a, std::uint32_t b) {
                     return std::pair(centres[a][axis], a) < std::pair(centres[b][axis], b);
                   });
  divide(centres, begin, middle);
  nodes_[at].second = static_cast<std::uint32_t>(nodes_.size());
  divide(centres, middle, end);
}

void BoxTree::fit(std::span<const Bounds> boxes) {
  device::parallel_chunks(order_.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) boxes_[k] = boxes[order_[k]];
  });
  for (std::size_t at = nodes_.size(); at-- > 0;) {
    Node& node = nodes_[at];
    if (node.end - node.begin <= leaf_size) {
      node.box = boxes_[node.begin];
      for (std::uint32_t k = node.begin + 1; k < node.end; ++k) node.box.add(boxes_[k]);
    } else {
      node.box = nodes_[at + 1].box;
      node.box.add(nodes_[node.second].box);
    }
  }
}

}  // namespace proxima::contact
