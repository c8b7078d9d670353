#include "runtime/contact/block_system.hpp"

#include <Eigen/Dense>

namespace proxima::contact {

std::vector<double> solve_blocks(std::span<const double> D, std::span<const Linearised> blocks,
                                 std::span<const double> b) {
  const std::size_t n = blocks.size();
  if (n == 0) return {};
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(3 * n), static_cast<Eigen::Index>(3 * n));
  for (std::size_t d = 0; d < n; ++d)
    for (std::size_t column = 0; column < 3; ++column) {
      double* out = matrix.data() + (3 * d + column) * 3 * n;
      for (std::size_t c = 0; c < n; ++c)
        for (std::size_t row = 0; row < 3; ++row, ++out) {
          *out = blocks[c].by_displacement[3 * row + column] * D[c * n + d];
          if (c == d) *out += blocks[c].by_force[3 * row + column];
        }
    }
  const Eigen::Map<const Eigen::VectorXd> right(b.data(), static_cast<Eigen::Index>(3 * n));
  const Eigen::VectorXd x = matrix.partialPivLu().solve(right);
  if (!x.allFinite()) return {};
  return {x.begin(), x.end()};
}

}  // namespace proxima::contact
