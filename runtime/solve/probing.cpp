#include "runtime/solve/probing.hpp"

#include <algorithm>

namespace proxima::solve {

std::vector<std::vector<std::int32_t>> full_rows(const factor::SparseSymmetric& pattern) {
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(pattern.size));
  for (std::int32_t column = 0; column < pattern.size; ++column)
    for (std::int64_t k = pattern.first[column]; k < pattern.first[column + 1]; ++k) {
      const std::int32_t row = pattern.row[k];
      rows[row].push_back(column);
      if (row != column) rows[column].push_back(row);
    }
  for (auto& row : rows) std::sort(row.begin(), row.end());
  return rows;
}

std::vector<int> colour_rows(const std::vector<std::vector<std::int32_t>>& rows) {
  std::vector<int> colour(rows.size(), -1);
  std::vector<std::size_t> taken_by;  // the row that last found each colour taken
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto near : rows[row])
      for (const auto far : rows[near])
        if (colour[far] >= 0) taken_by[colour[far]] = row;
    int least = 0;
    while (least < static_cast<int>(taken_by.size()) && taken_by[least] == row) ++least;
    if (least == static_cast<int>(taken_by.size())) taken_by.push_back(rows.size());
    colour[row] = least;
  }
  return colour;
}

std::vector<BlockRow> probe(const std::vector<std::vector<std::int32_t>>& rows, const std::vector<int>& colour,
                            const Product& product) {
  std::vector<BlockRow> result(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    result[row].columns = rows[row];
    result[row].blocks.resize(rows[row].size());
  }
  const int colours = rows.empty() ? 0 : 1 + *std::max_element(colour.begin(), colour.end());
  std::vector<double> v(3 * rows.size()), image(v.size());
  for (int c = 0; c < colours; ++c)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t a = 0; a < 3; ++a) v[3 * row + a] = colour[row] == c && a == axis ? 1 : 0;
      product(v, image);
      for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t k = 0; k < rows[row].size(); ++k)
          if (colour[rows[row][k]] == c)
            for (std::size_t a = 0; a < 3; ++a) result[row].blocks[k][3 * a + axis] = image[3 * row + a];
    }
  return result;
}

}  // namespace proxima::solve
