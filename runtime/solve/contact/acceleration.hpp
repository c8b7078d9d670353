// What makes of the steps of a fixed-point iteration with contact longer ones. The map is x -> x + f(x) and stands
// still where f = -A^-1 r is zero, r what is left of a gradient; r is no gradient itself, since friction has no
// potential, and its kinks are where contacts change their states.
#pragma once

#include <memory>
#include <optional>

#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {

template <class System>  // Objective, or CudaObjective
class Acceleration {
 public:
  using Vector = typename System::Vector;
  using In = typename System::In;

  virtual ~Acceleration() = default;
  // From x, the points before remembered, to the accelerated point; none where there is nothing to go by.
  virtual std::optional<Vector> direction(In x, In f, In r) = 0;
  virtual void clear() = 0;
};

// Anderson's mixing, anderson.hpp. Of a window of 0 the length is the method's own.
template <class System>
std::unique_ptr<Acceleration<System>> anderson_mixing(int window);

// L-BFGS (lbfgs.hpp) with A as its first metric. On a set of contacts that stick or have no friction, r is the gradient
// projected in the metric of A, f lies in what they leave free, and so do the steps: it is L-BFGS there. Its pairs
// carry A^-1 of their changes, so that it needs no application of its own. Quasi-Newton directions for such maps:
// Themelis, Stella and Patrinos 2018 (zeroFPR).
template <class System>
std::unique_ptr<Acceleration<System>> quasi_newton(int window);

}  // namespace proxima::solve
