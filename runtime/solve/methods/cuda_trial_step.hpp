// A step that is tried on a GPU: energies and the gradient at its end, by one kernel, and all numbers that decide about
// it are queued together; the numbers come to the host in one copy. Where it is refused the gradient was evaluated in
// vain.
#pragma once

#include "runtime/solve/methods/trial_step.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {

template <>
class TrialStep<CudaPotential> {
 public:
  using Vector = device::CudaVector;

  static constexpr bool at_once = true;

  explicit TrialStep(const CudaPotential& potential);

  void start(const Vector& x, Vector& gradient) { potential_->gradient(x, here_, gradient); }
  void begin(const Vector& x, const Vector& gradient, const Vector& direction, double length, const Vector& measure);
  double slope() const { return numbers_.slope; }
  double change() const { return numbers_.change; }
  double end_norm() const;
  double first_slope() const { return numbers_.first_slope; }
  double last_slope() const { return numbers_.last_slope; }
  // Waits where x is not what the last step began with.
  double rounding(const Vector& x) const;

  void take(Vector& x, Vector& gradient);
  std::optional<PairNumbers> pair() const { return pair_; }

 private:
  // As step_sums of kernels/sum.cu finds them.
  struct Numbers {
    double change, slope, first_slope, last_slope, end_square, weighed_square, pair_product, step_square, change_square;
  };

  const CudaPotential* potential_;
  std::size_t chunks_;  // of a sum over nodes
  Vector end_, end_gradient_;
  CudaItemEnergies here_, there_;  // where the next step begins, and at the end of the last one
  device::CudaArray partial_, results_;
  Numbers numbers_{};
  std::optional<PairNumbers> pair_;
  bool at_start_ = false;  // nothing has moved since begin()
};

}  // namespace proxima::solve
