// The factorisation A = L D L^T of a small symmetric matrix, unrolled. No pivoting: for positive definite matrices, and
// to find out whether one is. Internal to this room.
#pragma once

#include <vector>

#include "compiler/ir/expression.hpp"

namespace proxima::derive {

class Ldlt {
 public:
  // upper: the upper triangle of A row by row, n (n + 1) / 2 entries.
  Ldlt(std::size_t n, const std::vector<ir::Expression>& upper);

  std::vector<ir::Expression> solve(std::vector<ir::Expression> b) const;
  ir::Expression smallest_pivot() const;  // positive if and only if A is positive definite

 private:
  const ir::Expression& l(std::size_t i, std::size_t j) const { return lower_[i * (i - 1) / 2 + j]; }  // i > j

  std::vector<ir::Expression> lower_, pivots_;
};

}  // namespace proxima::derive
