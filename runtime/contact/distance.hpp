// How far points are from one obstacle, and which way, in the obstacle's own axes.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/model/obstacle.hpp"

namespace proxima::contact {

using mesh::Vector3;

struct Nearest {
  double gap = 0;    // m, negative inside
  Vector3 normal{};  // unit, outwards; on the surface it is the gradient of the gap
};

// Spans are one entry a point. One thread of callers at a time.
class Distance {
 public:
  virtual ~Distance() = default;
  // The parameters of the same obstacle have changed.
  virtual void set_values(const model::Obstacle& obstacle) = 0;
  virtual void evaluate(std::span<const Vector3> points, std::span<Nearest> nearest) const = 0;
  // From the derivatives by gap and normal of each point adds those by the points and by the obstacle's parameters
  // (nullptr: not wanted).
  virtual void pull_back(std::span<const Vector3> points, std::span<const Nearest> bars, std::span<Vector3> by_point,
                         std::vector<std::vector<double>>* by_parameter) const = 0;
};

std::unique_ptr<Distance> make_distance(const model::Obstacle& obstacle, jit::Engine& engine);

}  // namespace proxima::contact
