#include "tests/factor/cases.hpp"

#include <cmath>

#include "tests/factor/matrices.hpp"

namespace proxima::factor {
namespace {

SparseSymmetric dense(std::int32_t size) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i)
    for (std::int32_t j = 0; j <= i; ++j) entries.push_back({i, j, i == j ? 2.0 + size : 1.0 / (1 + i + j)});
  return assemble(size, std::move(entries));
}

// A dense last or first row on a diagonal.
SparseSymmetric arrow(std::int32_t size, std::int32_t hub) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, i == hub ? 1.0 + size : 2.0 + 1.0 / (1 + i)});
  for (std::int32_t i = 0; i < size; ++i)
    if (i != hub) entries.push_back({i, hub, 1.0});
  return assemble(size, std::move(entries));
}

SparseSymmetric chain(std::int32_t size) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, 2.5});
  for (std::int32_t i = 1; i < size; ++i) entries.push_back({i, i - 1, -1.0});
  return assemble(size, std::move(entries));
}

}  // namespace

SparseSymmetric diagonal(std::int32_t size) {
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, 1.0 + i});
  return assemble(size, std::move(entries));
}

SparseSymmetric disconnected() {
  std::vector<Entry> entries;
  std::int32_t size = 0;
  for (int copy = 0; copy < 3; ++copy)
    for (const SparseSymmetric& part : {kuhn_grid(4), chain(37), diagonal(5)}) {
      for (std::int32_t j = 0; j < part.size; ++j)
        for (auto e = part.first[static_cast<std::size_t>(j)]; e < part.first[static_cast<std::size_t>(j) + 1]; ++e)
          entries.push_back(
              {size + part.row[static_cast<std::size_t>(e)], size + j, part.value[static_cast<std::size_t>(e)]});
      size += part.size;
    }
  return assemble(size, std::move(entries));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  cases.push_back({"one_row", [] { return diagonal(1); }});
  cases.push_back({"two_rows", [] { return chain(2); }});
  cases.push_back({"diagonal", [] { return diagonal(1000); }});
  cases.push_back({"chain", [] { return chain(5000); }});
  for (const int size : {7, 8, 9, 16, 17, 63, 64, 65, 130, 300, 600})
    cases.push_back({"dense_" + std::to_string(size), [size] { return dense(size); }});
  cases.push_back({"arrow_last", [] { return arrow(3000, 2999); }});
  cases.push_back({"arrow_first", [] { return arrow(3000, 0); }});
  for (const int cells : {1, 2, 3, 6, 11, 18})
    cases.push_back({"grid_" + std::to_string(cells), [cells] { return kuhn_grid(cells); }});
  for (const unsigned seed : {1u, 2u, 3u})
    cases.push_back({"random_" + std::to_string(seed), [seed] { return random_sparse(900, 5, seed); }});
  cases.push_back({"random_wide", [] { return random_sparse(300, 40, 4); }});
  cases.push_back({"disconnected", disconnected});
  return cases;
}

void PrintTo(const Case& chosen, std::ostream* out) { *out << chosen.name; }

SupernodalCholesky factored(const SparseSymmetric& matrix, Storage storage) {
  SupernodalCholesky factor(matrix, storage);
  factor.factorize(matrix);
  return factor;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

}  // namespace proxima::factor
