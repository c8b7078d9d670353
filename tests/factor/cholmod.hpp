// CHOLMOD, the oracle of the tests and the rival of the benchmarks: METIS order, supernodal. GPL, so never in the
// product.
#pragma once

#include <memory>
#include <vector>

#include "runtime/factor/factor.hpp"

namespace proxima::factor {

class Cholmod {
 public:
  explicit Cholmod(const SparseSymmetric& matrix);  // orders and analyses
  ~Cholmod();

  void factorize();
  // Keeps b in CHOLMOD's own layout, so that solve() is the library's work alone.
  void set_right_hand_side(const std::vector<double>& b);
  void solve();
  std::vector<double> solution() const;  // interleaved

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::factor
