// Whether a slope is the derivative of a function along a line.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace proxima::test {

// f(h) is the value at the distance h. What is left of f(h) - f(0) - h slope falls with the second power of h, unless f
// is so nearly linear that only rounding is left; central differences agree to `tolerance` of the largest value.
template <class Function>
void expect_slope(const Function& f, double slope, double tolerance = 1e-6) {
  const double at_zero = f(0.0), size = std::max({1.0, std::fabs(slope), std::fabs(at_zero)});
  const double h = 1e-5;
  EXPECT_NEAR((f(h) - f(-h)) / (2 * h), slope, tolerance * size);
  const double coarse = std::fabs(f(1e-3) - at_zero - 1e-3 * slope), fine = std::fabs(f(1e-4) - at_zero - 1e-4 * slope);
  EXPECT_TRUE(coarse < 1e-7 * size || std::log10(coarse / fine) >= 1.9) << coarse << " then " << fine;
}

}  // namespace proxima::test
