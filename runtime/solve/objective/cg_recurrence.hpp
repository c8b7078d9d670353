// The numbers of conjugate gradients, what vectors become by them, and when there are enough iterations: on the host,
// where each number is known as soon as it is asked for. On a GPU: cuda_cg_recurrence.hpp.
#pragma once

#include "runtime/device/parallel.hpp"

namespace proxima::solve {

struct CgOutcome {
  int iterations = 0;               // applications of A^-1, one more than of H but for a first guess
  double residual = 0;              // |b - H z|, by recurrence
  bool negative_curvature = false;  // p.H p <= 0 for the direction left in the workspace
};

template <class System>
class CgRecurrence {
  using In = typename System::In;
  using Out = typename System::Out;

 public:
  explicit CgRecurrence(const System&) {}

  // From r = b - H z.
  void begin(In r, double tolerance) {
    outcome_ = {};
    outcome_.residual = device::norm(r);
    tolerance_ = tolerance;
  }
  // p <- s + (r.s / the one before) p, s the preconditioned r; p <- s at first.
  void set_direction(In r, In s, Out p) {
    const double previous = rs_;
    rs_ = device::dot(r, s);
    if (outcome_.iterations++ == 0)
      device::copy(s, p);
    else
      device::scale_and_add(p, rs_ / previous, s);
  }
  // z and r <- those of the least energy along p, q = H p; where it has none, as they are.
  void descend(In p, In q, Out z, Out r) {
    const double curvature = device::dot(p, q);
    if (!(curvature > 0)) {
      outcome_.negative_curvature = true;
      return;
    }
    const double alpha = rs_ / curvature;
    device::add_scaled(z, alpha, p);
    device::add_scaled(r, -alpha, q);
    outcome_.residual = device::norm(r);
  }
  // Where an iteration goes on after descend(): |r| anew, if that has not been the end; and y <- 0 where it has, for
  // what it adds to.
  void measure(In r) {
    if (!ended()) outcome_.residual = device::norm(r);
  }
  void clear_after_end(std::span<double> y) const {
    if (ended()) device::set_zero(y);
  }
  // `iteration` until |r| <= tolerance, p.H p <= 0, or there were `most`.
  template <class Iteration>
  CgOutcome repeat(const Iteration& iteration, int most, bool /*queued*/ = true) {
    while (!ended() && outcome_.iterations < most) iteration();
    return outcome_;
  }

 private:
  bool ended() const { return !(outcome_.residual > tolerance_) || outcome_.negative_curvature; }

  CgOutcome outcome_;
  double tolerance_ = 0, rs_ = 0;
};

}  // namespace proxima::solve
