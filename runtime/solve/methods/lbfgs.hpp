// Limited-memory BFGS with A as the initial metric: Nocedal 1980, two loops; Liu, Bouaziz and Kavan 2017 for A.
#pragma once

#include <vector>

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
  struct Pair {
    Vector step, change;  // of x and of grad g
    double product = 0;   // <step, change> > 0
  };
  void remember_pair();
  double two_loops();  // leaves the direction behind and returns the slope of g along it

  BasicDescent<P>& point_;
  std::size_t window_;
  std::vector<Pair> pairs_;  // oldest first
  bool started_ = false;
  Vector last_x_, last_gradient_, direction_, work_;
};

// Until the target is reached, as MethodEntry::run.
template <class P>
void run_lbfgs(BasicDescent<P>& point, const SolverSettings& settings);

}  // namespace proxima::solve
