// Matrices to factor, for the tests and the benchmarks of runtime/factor.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/factor/factor.hpp"

namespace proxima::factor {

struct Entry {
  std::int32_t row, column;
  double value;
};

// Sums entries at the same place; an entry above the diagonal is moved below. Every diagonal entry is present, if only
// as 0.
SparseSymmetric assemble(std::int32_t size, std::vector<Entry> entries);

// M/h^2 + sum w V G^T G of a box of cells^3 cubes of six tetrahedra each: (cells+1)^3 rows. Cubes of 1 cm, 1000 kg/m^3,
// time step 10 ms, w twice the shear modulus of E = 1e6 Pa, nu = 0.45.
SparseSymmetric kuhn_grid(int cells);

// Random pattern of about `degree` entries a row, diagonally dominant.
SparseSymmetric random_sparse(std::int32_t size, int degree, unsigned seed);

// y = A x for three right-hand sides, interleaved.
std::vector<double> multiply(const SparseSymmetric& matrix, const std::vector<double>& x);

std::vector<double> random_vector(std::size_t size, unsigned seed);

}  // namespace proxima::factor
