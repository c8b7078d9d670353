#include "runtime/contact/block_system.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/factor/dense_lu.hpp"

namespace proxima::contact {

std::vector<double> solve_blocks(std::span<const double> D, std::span<const Linearised> blocks,
                                 std::span<const double> b) {
  const std::size_t n = blocks.size();
  factor::DenseLu lu(static_cast<std::int32_t>(3 * n));
  for (std::size_t d = 0; d < n; ++d)
    for (std::size_t column = 0; column < 3; ++column) {
      double* out = lu.column(static_cast<std::int32_t>(3 * d + column));
      for (std::size_t c = 0; c < n; ++c)
        for (std::size_t row = 0; row < 3; ++row, ++out) {
          *out = blocks[c].by_displacement[3 * row + column] * D[d * n + c];
          if (c == d) *out += blocks[c].by_force[3 * row + column];
        }
    }
  if (!lu.factorize()) return {};
  std::vector<double> x(b.begin(), b.end());
  lu.solve(x.data());
  if (!std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); })) return {};
  return x;
}

}  // namespace proxima::contact
