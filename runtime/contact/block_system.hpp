// Linear systems of Newton's method on condensed problems: 3 x 3 blocks at each contact around the scalar matrix D.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace proxima::contact {

using Block = std::array<double, 9>;  // row-major

// The change of a contact's equations with its displacement and with its force.
struct Linearised {
  Block by_displacement{}, by_force{};
};

// Solves by_displacement_c (sum over d of D_cd x_d) + by_force_c x_c = b_c for all c by an LU decomposition with row
// exchanges. D: n x n, symmetric, b: three values each. Returns an empty vector where the matrix is singular.
std::vector<double> solve_blocks(std::span<const double> D, std::span<const Linearised> blocks,
                                 std::span<const double> b);

}  // namespace proxima::contact
