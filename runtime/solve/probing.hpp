// A sparse matrix of 3 x 3 blocks from its products with vectors, after Curtis, Powell and Reid, On the estimation of
// sparse Jacobian matrices, 1974: rows whose columns never meet in a row share a colour, and three products give the
// columns of a colour. So the Hessian of any energy is had without a kernel that assembles it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/factor/factor.hpp"
#include "runtime/solve/block_matrix.hpp"

namespace proxima::solve {

// y <- K v, 3 scalars a row.
using Product = std::function<void(std::span<const double> v, std::span<double> y)>;

// The columns of each row, itself among them, increasing. Of the pattern's values nothing is used.
std::vector<std::vector<std::int32_t>> full_rows(const factor::SparseSymmetric& pattern);

// A colour for each row, 0, 1, ...: rows of one colour have no column in common.
std::vector<int> colour_rows(const std::vector<std::vector<std::int32_t>>& rows);

// The blocks of a symmetric K on that pattern; entries outside it must be zero. Three products a colour of
// colour_rows(rows).
std::vector<BlockRow> probe(const std::vector<std::vector<std::int32_t>>& rows, const std::vector<int>& colour,
                            const Product& product);

}  // namespace proxima::solve
