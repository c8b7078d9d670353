#include "tests/factor/matrices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace proxima::factor {

SparseSymmetric assemble(std::int32_t size, std::vector<Entry> entries) {
  for (Entry& entry : entries)
    if (entry.row < entry.column) std::swap(entry.row, entry.column);
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, 0});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.column, a.row) < std::pair(b.column, b.row);
  });
  SparseSymmetric matrix;
  matrix.size = size;
  matrix.first.assign(static_cast<std::size_t>(size) + 1, 0);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (e > 0 && entries[e].row == entries[e - 1].row && entries[e].column == entries[e - 1].column) {
      matrix.value.back() += entries[e].value;
      continue;
    }
    matrix.row.push_back(entries[e].row);
    matrix.value.push_back(entries[e].value);
    ++matrix.first[static_cast<std::size_t>(entries[e].column) + 1];
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(size); ++j) matrix.first[j + 1] += matrix.first[j];
  return matrix;
}

SparseSymmetric kuhn_grid(int cells) {
  constexpr double edge = 0.01, density = 1000, step = 0.01, modulus = 1e6, poisson = 0.45;
  constexpr double weight = modulus / (1 + poisson);
  constexpr double volume = edge * edge * edge / 6;
  constexpr int paths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const int side = cells + 1;
  const auto node = [&](const std::array<int, 3>& c) { return (c[0] * side + c[1]) * side + c[2]; };
  std::vector<Entry> entries;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k)
        for (const auto& path : paths) {
          // Along a path of three edges x0 -> x1 -> x2 -> x3 the shape gradients are differences of unit vectors:
          // grad N_0 = -e_p0, grad N_1 = e_p0 - e_p1, grad N_2 = e_p1 - e_p2, grad N_3 = e_p2 (over the edge length).
          std::array<int, 3> corner{i, j, k};
          std::array<int, 4> nodes{};
          double gradient[4][3] = {};
          for (std::size_t s = 0; s < 4; ++s) {
            nodes[s] = node(corner);
            if (s == 3) break;
            ++corner[static_cast<std::size_t>(path[s])];
            gradient[s][path[s]] -= 1 / edge;
            gradient[s + 1][path[s]] += 1 / edge;
          }
          for (std::size_t a = 0; a < 4; ++a) {
            entries.push_back({nodes[a], nodes[a], density * volume / 4 / (step * step)});
            for (std::size_t b = 0; b <= a; ++b) {
              double product = 0;
              for (int axis = 0; axis < 3; ++axis) product += gradient[a][axis] * gradient[b][axis];
              entries.push_back({nodes[a], nodes[b], weight * volume * product});
            }
          }
        }
  return assemble(side * side * side, std::move(entries));
}

SparseSymmetric random_sparse(std::int32_t size, int degree, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int32_t> row(0, size - 1);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<Entry> entries;
  for (std::int32_t i = 0; i < size; ++i)
    for (int d = 0; d < degree / 2; ++d) {
      const std::int32_t j = row(random);
      if (j == i) continue;
      const double v = value(random);
      entries.push_back({i, j, v});
      entries.push_back({i, i, std::abs(v)});
      entries.push_back({j, j, std::abs(v)});
    }
  for (std::int32_t i = 0; i < size; ++i) entries.push_back({i, i, 0.1});
  return assemble(size, std::move(entries));
}

std::vector<double> multiply(const SparseSymmetric& matrix, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (std::size_t j = 0; j < static_cast<std::size_t>(matrix.size); ++j)
    for (auto e = static_cast<std::size_t>(matrix.first[j]); e < static_cast<std::size_t>(matrix.first[j + 1]); ++e) {
      const auto i = static_cast<std::size_t>(matrix.row[e]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        y[3 * i + axis] += matrix.value[e] * x[3 * j + axis];
        if (i != j) y[3 * j + axis] += matrix.value[e] * x[3 * i + axis];
      }
    }
  return y;
}

std::vector<double> random_vector(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> x(size);
  for (double& entry : x) entry = value(random);
  return x;
}

}  // namespace proxima::factor
