// Products of 3x3 matrices of nodes some of whose entries are structurally zero. Internal to this room.
#pragma once

#include <array>
#include <optional>

#include "compiler/ir/expression.hpp"

namespace proxima::derive {

using Entry = std::optional<ir::Expression>;  // nullopt: zero, and nothing is built for it

inline Entry operator+(const Entry& a, const Entry& b) { return a && b ? Entry(*a + *b) : a ? a : b; }
inline Entry operator-(const Entry& a) { return a ? Entry(-*a) : a; }
inline Entry operator-(const Entry& a, const Entry& b) { return a && b ? Entry(*a - *b) : b ? -b : a; }
inline Entry operator*(const Entry& a, const Entry& b) { return a && b ? Entry(*a * *b) : Entry(); }
inline Entry operator*(double a, const Entry& b) { return b ? Entry(a * *b) : b; }

struct Matrix {
  std::array<Entry, 9> entries;  // row by row
  Entry& operator()(std::size_t i, std::size_t j) { return entries[3 * i + j]; }
  const Entry& operator()(std::size_t i, std::size_t j) const { return entries[3 * i + j]; }
};

inline Matrix transposed(const Matrix& a) {
  Matrix result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result(i, j) = a(j, i);
  return result;
}

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  return result;
}

}  // namespace proxima::derive
