// Matrices of every kind that the factor meets, by name, and what its tests do with them.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "runtime/factor/factor.hpp"

namespace proxima::factor {

// The matrix is made by the test that wants it: each case runs in a process of its own.
struct Case {
  std::string name;
  std::function<SparseSymmetric()> make;
};

void PrintTo(const Case& chosen, std::ostream* out);

std::vector<Case> all_cases();

SparseSymmetric diagonal(std::int32_t size);

// Several copies of a grid, of a chain and of single rows, numbered in turn.
SparseSymmetric disconnected();

SupernodalCholesky factored(const SparseSymmetric& matrix, Storage storage = Storage::fp64);

double relative_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace proxima::factor
