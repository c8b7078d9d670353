// A step of a minimisation that is tried: from x by a length along a direction, and the numbers that decide whether it
// is taken. On the host each is found when it is asked for; on a GPU all of them at once: cuda_trial_step.hpp.
#pragma once

#include <optional>
#include <utility>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {

// Of the changes of x and of the gradient over a step: their product, and the norm of each.
struct PairNumbers {
  double product = 0, step = 0, change = 0;
};

template <class P>
class TrialStep {
 public:
  using System = typename P::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;

  // Whether the gradient at the end is evaluated with what decides whether it is wanted.
  static constexpr bool at_once = false;

  explicit TrialStep(const P& potential)
      : potential_(&potential), end_(potential.objective().vector()), end_gradient_(potential.objective().vector()) {}

  // The gradient where the first step begins.
  void start(In x, Out gradient) { potential_->gradient(x, gradient); }
  // From there, or from where the last step ended that was taken. `gradient`: at x. `measure`: the direction along
  // which slope() is wanted. All stay where they are until the next.
  void begin(In x, In gradient, In direction, double length, In measure) {
    x_ = x;
    gradient_ = gradient;
    direction_ = direction;
    measure_ = measure;
    device::combine(end_, x, length, direction);
  }
  double slope() const { return device::dot(gradient_, measure_); }  // of g at x
  double change() const { return potential_->difference(x_, end_).value; }
  double end_norm() {  // of the gradient, which is evaluated
    potential_->gradient(end_, end_gradient_);
    return device::norm(end_gradient_);
  }
  // Of g along the direction, at both ends.
  double first_slope() const { return device::dot(gradient_, direction_); }
  double last_slope() const { return device::dot(end_gradient_, direction_); }
  double rounding(In x) const { return potential_->objective().gradient_rounding(x); }

  // Moves them to the end.
  void take(Out x, Vector& gradient) {
    device::copy(end_, x);
    std::swap(gradient, end_gradient_);
  }
  // Of the step that was taken last, where they are known.
  std::optional<PairNumbers> pair() const { return std::nullopt; }

 private:
  const P* potential_;
  In x_, gradient_, direction_, measure_;
  Vector end_, end_gradient_;
};

}  // namespace proxima::solve
