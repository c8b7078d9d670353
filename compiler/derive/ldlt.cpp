#include "compiler/derive/ldlt.hpp"

#include "compiler/ir/operators.hpp"

namespace proxima::derive {

using ir::Expression;

Ldlt::Ldlt(std::size_t n, const std::vector<Expression>& upper) {
  const auto a = [&](std::size_t i, std::size_t j) { return upper[j * n - j * (j + 1) / 2 + i]; };  // i >= j
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expression> scaled;  // row i of L times D
    for (std::size_t j = 0; j < i; ++j) {
      Expression sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum = sum - scaled[k] * l(j, k);
      scaled.push_back(sum);
    }
    Expression pivot = a(i, i);
    for (std::size_t j = 0; j < i; ++j) {
      lower_.push_back(scaled[j] / pivots_[j]);
      pivot = pivot - scaled[j] * lower_.back();
    }
    pivots_.push_back(pivot);
  }
}

std::vector<Expression> Ldlt::solve(std::vector<Expression> b) const {
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) b[i] = b[i] - l(i, j) * b[j];
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = b[i] / pivots_[i];
  for (std::size_t i = b.size(); i-- > 0;)
    for (std::size_t j = i + 1; j < b.size(); ++j) b[i] = b[i] - l(j, i) * b[j];
  return b;
}

Expression Ldlt::smallest_pivot() const {
  Expression smallest = pivots_[0];
  for (std::size_t i = 1; i < pivots_.size(); ++i) smallest = smallest.apply(ir::Op::min, {pivots_[i]});
  return smallest;
}

}  // namespace proxima::derive
