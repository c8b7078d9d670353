// Comparing what was found in two ways.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace proxima::test {

// Each entry, to a share of the largest.
inline void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  double size = 0;
  for (const double value : expected) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], tolerance * size) << what << " " << i;
}

inline std::vector<double> waves(std::size_t size, double amplitude, double phase) {
  std::vector<double> v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = amplitude * std::sin(1.7 * static_cast<double>(i) + phase);
  return v;
}

}  // namespace proxima::test
