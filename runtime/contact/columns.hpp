// Products of dense matrices with three right-hand sides, one an axis: those of decompositions between contacts.
#pragma once

#include <array>
#include <vector>

#include "runtime/factor/dense.hpp"

namespace proxima::contact {

using Axes = std::array<std::vector<double>, 3>;  // of as many vectors in space as there are rows, axis by axis

// What a matrix has above its diagonal: `zeros` are not read.
enum class Above : std::uint8_t { values, zeros };

// y += M b and y^T M, for the leading columns of a matrix of so many rows; the same bits for any number of threads.
void add_product(const factor::FrontMatrix& m, std::size_t rows, std::size_t columns, Above above, const Axes& b,
                 Axes& y);
Axes transposed_product(const factor::FrontMatrix& m, std::size_t rows, std::size_t columns, Above above,
                        const Axes& y);

// a . b, in eight sums side by side, so that they fill vector registers.
double along(const double* a, const double* b, std::size_t size);

}  // namespace proxima::contact
