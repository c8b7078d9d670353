#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::device {
namespace {

class Parallel : public ::testing::Test {
 protected:
  ~Parallel() override { set_threads(0); }

  static std::vector<double> numbers(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> number;
    std::vector<double> values(count);
    for (double& value : values) value = number(random) * std::exp(3 * number(random));
    return values;
  }
  static std::uint64_t bits(double value) {
    std::uint64_t pattern;
    std::memcpy(&pattern, &value, sizeof pattern);
    return pattern;
  }
};

TEST_F(Parallel, EveryIndexIsVisitedOnceWhateverTheSizes) {
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    for (const std::size_t count : {0, 1, 9, 10, 11, 1000})
      for (const std::size_t chunk : {1, 10, 5000}) {
        std::vector<std::atomic<int>> visits(count);
        parallel_chunks(count, chunk, [&](std::size_t begin, std::size_t end) {
          EXPECT_EQ(begin % chunk, 0u);
          EXPECT_LE(end - begin, chunk);
          for (std::size_t i = begin; i < end; ++i) ++visits[i];
        });
        for (const auto& visit : visits) EXPECT_EQ(visit, 1);
      }
  }
}

TEST_F(Parallel, SumsHaveTheSameBitsForAnyThreadCount) {
  const auto a = numbers(200003, 1), b = numbers(200003, 2);
  std::set<std::uint64_t> dots, sums;
  std::set<std::vector<double>> moved;
  for (const int threads : {1, 2, 3, 8})
    for (int repeat = 0; repeat < 3; ++repeat) {
      set_threads(threads);
      dots.insert(bits(dot(a, b)));
      sums.insert(bits(sum(a)));
      auto y = a;
      add_scaled(y, 0.3, b);
      moved.insert(y);
    }
  EXPECT_EQ(dots.size(), 1u);
  EXPECT_EQ(sums.size(), 1u);
  EXPECT_EQ(moved.size(), 1u);
}

TEST_F(Parallel, SumsAreRight) {
  for (const std::size_t count : {0, 1, 7, 8, 9, 16384, 16385, 100001}) {
    const auto a = numbers(count, 3), b = numbers(count, 4);
    long double product = 0, total = 0, magnitude = 0, largest_magnitude = 0;
    for (std::size_t i = 0; i < count; ++i) {
      product += static_cast<long double>(a[i]) * b[i];
      total += a[i];
      magnitude += std::fabs(static_cast<long double>(a[i]) * b[i]) + std::fabs(a[i]);
      largest_magnitude = std::max<long double>(largest_magnitude, std::fabs(a[i]));
    }
    const double tolerance = static_cast<double>(1e-15L * magnitude);
    EXPECT_NEAR(dot(a, b), static_cast<double>(product), tolerance);
    EXPECT_NEAR(sum(a), static_cast<double>(total), tolerance);
    EXPECT_EQ(largest(a), static_cast<double>(largest_magnitude));
    EXPECT_DOUBLE_EQ(norm(a), std::sqrt(dot(a, a)));
  }
}

TEST_F(Parallel, AnExceptionReachesTheCaller) {
  for (const int threads : {1, 4}) {
    set_threads(threads);
    const auto run = [] {
      parallel_chunks(100, 1, [](std::size_t begin, std::size_t) {
        if (begin == 37) throw std::runtime_error("thirty-seven");
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    std::atomic<int> after{0};
    parallel_chunks(10, 1, [&](std::size_t, std::size_t) { ++after; });
    EXPECT_EQ(after, 10);
  }
}

TEST_F(Parallel, ThreadsAreCountedAndChecked) {
  set_threads(3);
  EXPECT_EQ(threads(), 3);
  set_threads(0);
  EXPECT_GE(threads(), 1);
  EXPECT_THROW(set_threads(-1), Error);
}

}  // namespace
}  // namespace proxima::device
