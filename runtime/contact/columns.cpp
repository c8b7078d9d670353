#include "runtime/contact/columns.hpp"

#include <algorithm>

namespace proxima::contact {
namespace {

constexpr std::size_t together = 4;  // columns in one pass over y

}  // namespace

void add_product(const factor::FrontMatrix& m, std::size_t rows, std::size_t columns, Above above, const Axes& b,
                 Axes& y) {
  for (std::size_t j = 0; j < columns; j += together) {
    const std::size_t count = std::min(together, columns - j), first = above == Above::zeros ? j : 0;
    std::array<const double*, together> column{};
    for (std::size_t k = 0; k < together; ++k)
      column[k] = m.column(static_cast<std::int32_t>(j + std::min(k, count - 1)));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<double, together> by{};
      std::copy_n(b[axis].data() + j, count, by.data());
      if (std::all_of(by.begin(), by.end(), [](double value) { return value == 0; })) continue;
      double* const sum = y[axis].data();
      for (std::size_t i = first; i < rows; ++i)
        sum[i] += column[0][i] * by[0] + column[1][i] * by[1] + column[2][i] * by[2] + column[3][i] * by[3];
    }
  }
}

Axes transposed_product(const factor::FrontMatrix& m, std::size_t rows, std::size_t columns, Above above,
                        const Axes& y) {
  Axes result;
  for (auto& axis : result) axis.resize(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const std::size_t first = above == Above::zeros ? j : 0;
    const double* const column = m.column(static_cast<std::int32_t>(j)) + first;
    for (std::size_t axis = 0; axis < 3; ++axis) result[axis][j] = along(column, y[axis].data() + first, rows - first);
  }
  return result;
}

double along(const double* a, const double* b, std::size_t size) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= size; i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += a[i + k] * b[i + k];
  double rest = 0;
  for (; i < size; ++i) rest += a[i] * b[i];
  for (const double sum : sums) rest += sum;
  return rest;
}

}  // namespace proxima::contact
