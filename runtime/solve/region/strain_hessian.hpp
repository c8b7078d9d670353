// From the second derivatives of an element's energy by its strain to those by its node positions: the strain is linear
// in these, F = sum_s x_s (x) g_s, so that the 3 x 3 block of corners a and b is
//   K_ab(i, k) = sum_jl g_a(j) C(ij, kl) g_b(l),   C = d2U/dF2.
// For a tile of elements at a time, as kernels lay them out.
#pragma once

#include <cstddef>

namespace proxima::solve {

// Pairs (a, b), a <= b, of an element's corners in the order a = 0: b = 0, 1, ...; a = 1: b = 1, ...
constexpr std::size_t corner_pairs(std::size_t corners) { return corners * (corners + 1) / 2; }

// hessian: [entry of the upper triangle, row by row][lane]; gradients of corners 1 on: [(s - 1) * dimension + j][lane];
// blocks: [pair][entry of K_ab][lane], overwritten. dimension 1 to 3; with 0 the strain is the positions themselves,
// and gradients are not read.
void contract_strain_hessian(int dimension, int corners, int lanes, const double* hessian, const double* gradients,
                             double* blocks);

}  // namespace proxima::solve
