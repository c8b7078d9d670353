// The nearest of many points, without a look at each of them.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::mesh {

class PointTree {
 public:
  explicit PointTree(std::vector<Vector3> points);  // at least one, all finite

  // Its number; of several at one distance the lowest.
  std::size_t nearest(const Vector3& x) const;

 private:
  struct Best {
    double distance;
    std::size_t number;
  };
  void divide(std::size_t begin, std::size_t end, std::size_t axis);
  void search(std::size_t begin, std::size_t end, std::size_t axis, const Vector3& x, Best& best) const;

  std::vector<Vector3> points_;
  // The median along the axis in the middle, those below before it, those above behind it, and each half likewise along
  // the next axis.
  std::vector<std::size_t> order_;
};

}  // namespace proxima::mesh
