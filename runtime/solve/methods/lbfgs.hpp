// Limited-memory BFGS with A as the initial metric: Nocedal 1980, two loops; Liu, Bouaziz and Kavan 2017 for A.
#pragma once

#include <vector>

#include "runtime/solve/methods/cuda_lbfgs_pairs.hpp"
#include "runtime/solve/methods/descent.hpp"

namespace proxima::solve {

template <class P>  // Potential, or CudaPotential
class Lbfgs {
 public:
  static constexpr int default_window = 8;

  Lbfgs(BasicDescent<P>& point, int window);

  // One iteration; where its direction does not lower g the history is dropped and A^-1 alone decides. False when g can
  // be lowered no more.
  bool advance();

 private:
  using Vector = typename P::System::Vector;
  using Pairs = LbfgsPairs<typename P::System>;
  void remember_pair();
  void two_loops();  // leaves the direction behind

  BasicDescent<P>& point_;
  Pairs pairs_;
  bool started_ = false;
  Vector last_x_, last_gradient_, direction_, work_;
};

// Until the target is reached, as MethodEntry::run.
template <class P>
void run_lbfgs(BasicDescent<P>& point, const SolverSettings& settings);

}  // namespace proxima::solve
