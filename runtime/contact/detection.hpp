// All contacts of a model, whatever they are between, and its ties, which are always among them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/contact/geometry.hpp"
#include "runtime/model/model.hpp"

namespace proxima::contact {

class Detection {
 public:
  Detection(const model::Model& model, jit::Engine& engine);
  ~Detection();

  // Takes the obstacles' poses and shapes, and where nodes are at rest.
  void set_values(const model::Model& model);
  // Those nearer than `margin` (m) at x, those between bodies also where they met on the way there; each once.
  std::vector<model::ContactKey> candidates(const StepSpan& step, std::span<const double> x, double margin) const;
  // Those between bodies that are not among `known` and were passed through: their gap at x is below -tolerance (m).
  std::vector<model::ContactKey> missed(const StepSpan& step, std::span<const model::ContactKey> known,
                                        std::span<const double> x, double tolerance) const;
  std::vector<Geometry> evaluate(const StepSpan& step, std::span<const model::ContactKey> keys,
                                 std::span<const double> x) const;
  // Derivatives of sum of bars . geometry, component by component: adds those by x, by the start, and by the obstacles.
  // Spans that are empty are left out. `places`: where those by x go.
  void pull_back(const StepSpan& step, std::span<const model::ContactKey> keys, std::span<const double> x,
                 std::span<const Geometry> bars, std::span<double> by_x, std::span<double> by_start,
                 std::span<model::ObstacleGradient> by_obstacles, Places places = Places::nodes) const;
  // The same by the rest positions, 3 a node, with which directions of friction turn.
  void pull_back_rest(const StepSpan& step, std::span<const model::ContactKey> keys, std::span<const double> x,
                      std::span<const Geometry> bars, std::span<double> by_rest) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::contact
