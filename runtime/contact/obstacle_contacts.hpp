// Contacts between nodes and obstacles: which there may be, and the numbers that forces depend on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/contact/distance.hpp"
#include "runtime/contact/geometry.hpp"
#include "runtime/contact/surface_direction.hpp"
#include "runtime/model/model.hpp"

namespace proxima::contact {

// Positions are 3 a node of the model, m. Of a list of keys those that are no node at an obstacle are passed over, and
// so are their entries of the other spans, which have one a key. One thread of callers at a time.
class ObstacleContacts {
 public:
  ObstacleContacts(const model::Model& model, jit::Engine& engine);

  // Takes over motions and parameters of the obstacles, and rest positions, of a model that differs in nothing else.
  void set_values(const model::Model& model);

  // Every free surface node whose gap to an obstacle that it is paired with is below `margin` (m) when it is at x and
  // the obstacle where it is at the end of the step; appended, in increasing order.
  void candidates(const StepSpan& span, std::span<const double> x, double margin,
                  std::vector<model::ContactKey>& keys) const;

  // The slip is that of the node against the material point of the obstacle that is under it at the end of the step.
  void evaluate(const StepSpan& span, std::span<const model::ContactKey> keys, std::span<const double> x,
                std::span<Geometry> contacts) const;

  // From the derivatives of a number by gap, normal, slip and directions of each contact adds those by x, by the
  // positions at the start (3 a node each) and by what the obstacles have (one entry an obstacle, from zero_gradient).
  // The last two may be empty: not wanted. `places`: where those by x go.
  void pull_back(const StepSpan& span, std::span<const model::ContactKey> keys, std::span<const double> x,
                 std::span<const Geometry> bars, std::span<double> by_x, std::span<double> by_start,
                 std::span<model::ObstacleGradient> by_obstacle, Places places = Places::nodes) const;
  // From the derivatives by the bodies' directions adds those by the rest positions, 3 a node.
  void pull_back_rest(const StepSpan& span, std::span<const model::ContactKey> keys, std::span<const Geometry> bars,
                      std::span<double> by_rest) const;

 private:
  struct Pair {
    std::size_t obstacle = 0;
    std::vector<std::int32_t> nodes;  // none of a pair of bodies
    SurfaceDirection direction;       // of the body's friction
  };
  // Of each obstacle the numbers of the keys that are contacts with it.
  std::vector<std::vector<std::size_t>> sort(std::span<const model::ContactKey> keys) const;

  std::vector<Pair> pairs_;
  std::vector<std::vector<model::KeyFrame>> motions_;  // of each obstacle
  std::vector<Vector3> directions_;                    // of each one's friction, in its own axes
  std::vector<std::unique_ptr<Distance>> distances_;
};

}  // namespace proxima::contact
