#include "runtime/mesh/point_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {

PointTree::PointTree(std::vector<Vector3> points) : points_(std::move(points)), order_(points_.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  divide(0, order_.size(), 0);
}

std::size_t PointTree::nearest(const Vector3& x) const {
  Best best{std::numeric_limits<double>::infinity(), 0};
  search(0, order_.size(), 0, x, best);
  return best.number;
}

void PointTree::divide(std::size_t begin, std::size_t end, std::size_t axis) {
  if (end - begin < 2) return;
  const std::size_t middle = begin + (end - begin) / 2, next = (axis + 1) % 3;
  const auto at = [&](std::size_t place) { return order_.begin() + static_cast<std::ptrdiff_t>(place); };
  std::nth_element(at(begin), at(middle), at(end),
                   [&](std::size_t a, std::size_t b) { return points_[a][axis] < points_[b][axis]; });
  divide(begin, middle, next);
  divide(middle + 1, end, next);
}

void PointTree::search(std::size_t begin, std::size_t end, std::size_t axis, const Vector3& x, Best& best) const {
  if (begin == end) return;
  const std::size_t middle = begin + (end - begin) / 2, next = (axis + 1) % 3, number = order_[middle];
  const double distance = norm(minus(points_[number], x));
  if (distance < best.distance || (distance == best.distance && number < best.number)) best = {distance, number};
  const double beyond = x[axis] - points_[number][axis];
  const bool low_first = beyond < 0;
  for (const bool low : {low_first, !low_first}) {
    if (low != low_first && std::abs(beyond) > best.distance) return;
    if (low)
      search(begin, middle, next, x, best);
    else
      search(middle + 1, end, next, x, best);
  }
}

}  // namespace proxima::mesh
