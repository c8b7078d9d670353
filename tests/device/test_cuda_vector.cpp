// Vectors on a GPU, by stand-ins for it (tests/cuda_shim), against the same on the host.
#include <gtest/gtest.h>

#include <random>

#include "runtime/device/cuda_vector.hpp"
#include "runtime/device/parallel.hpp"
#include "tests/cuda_shim/shim.hpp"

namespace proxima::device {
namespace {

std::vector<double> random_numbers(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> result(count);
  for (double& value : result) value = number(engine);
  return result;
}

class CudaVectors : public ::testing::TestWithParam<std::size_t> {
 protected:
  CudaVector vector(const std::vector<double>& of) { return shim_.vector(of); }
  static std::vector<double> values(const CudaVector& of) { return testing::CudaShimEngine::values(of); }

  testing::CudaShimEngine shim_;
  const std::shared_ptr<CudaAlgebra>& algebra_ = shim_.algebra;
  const std::size_t size_ = GetParam();
  const std::vector<double> a_ = random_numbers(size_, 1), b_ = random_numbers(size_, 2);
};

TEST_P(CudaVectors, AreCombinedEntryByEntry) {
  const CudaVector a = vector(a_), b = vector(b_);
  CudaVector y = vector(a_);
  std::vector<double> expected = a_;
  add_scaled(y, 0.3, b);
  for (std::size_t i = 0; i < size_; ++i) expected[i] += 0.3 * b_[i];
  EXPECT_EQ(values(y), expected);
  scale_and_add(y, -0.7, b);
  for (std::size_t i = 0; i < size_; ++i) expected[i] = b_[i] - 0.7 * expected[i];
  EXPECT_EQ(values(y), expected);
  combine(y, a, 1.5, b);
  for (std::size_t i = 0; i < size_; ++i) expected[i] = a_[i] + 1.5 * b_[i];
  EXPECT_EQ(values(y), expected);
  negate(y);
  for (double& value : expected) value = -value;
  EXPECT_EQ(values(y), expected);
  copy(a, y);
  EXPECT_EQ(values(y), a_);
  set_zero(y);
  EXPECT_EQ(values(y), std::vector<double>(size_));
}

TEST_P(CudaVectors, AreSummedAsOnTheHost) {
  const CudaVector a = vector(a_), b = vector(b_);
  const double scale = static_cast<double>(size_);
  EXPECT_NEAR(dot(a, b), dot(a_, b_), 1e-15 * scale);
  EXPECT_NEAR(norm(a), norm(a_), 1e-15 * scale);
  EXPECT_EQ(dot(a, b), dot(a, b));
  EXPECT_NEAR(algebra_->sum_by(algebra_->sum, size_, a.array()), sum(a_), 1e-15 * scale);
  double differences = 0, squares = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    differences += a_[i] - b_[i];
    squares += b_[i / 3] * a_[i] * b_[i / 3] * a_[i];
  }
  EXPECT_NEAR(algebra_->sum_by(algebra_->sum_of_differences, size_, a.array(), b.array()), differences, 1e-14 * scale);
  EXPECT_NEAR(algebra_->sum_by(algebra_->sum_of_weighed_squares, size_, b.array(), a.array()), squares, 1e-14 * scale);
}

// Rows that are longer than what is added of them.
TEST_P(CudaVectors, RowsAreSummedApart) {
  constexpr std::size_t rows = 3;
  const std::size_t stride = size_ + 5;
  std::vector<double> numbers(rows * stride, 1e3);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < size_; ++i) numbers[row * stride + i] = static_cast<double>(row + 1) * a_[i];
  std::vector<double> sums(rows, -1);
  algebra_->sum_rows(vector(numbers).array(), static_cast<std::int64_t>(stride), size_, sums);
  for (std::size_t row = 0; row < rows; ++row)
    EXPECT_NEAR(sums[row], static_cast<double>(row + 1) * sum(a_), 1e-14 * static_cast<double>(size_));
}

TEST_P(CudaVectors, RowsOfFloatsAreMultipliedByThem) {
  constexpr std::size_t rows = 3;
  std::vector<float> numbers;
  std::vector<double> expected(rows), found(rows);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < size_; ++i) {
      numbers.push_back(static_cast<float>(b_[(i + row) % size_]));
      expected[row] += static_cast<double>(numbers.back()) * a_[i];
    }
  CudaArray sums = shim_.engine.device().allocate(rows * sizeof(double));
  algebra_->dot_rows(shim_.engine.device().upload(std::as_bytes(std::span(numbers))), rows, vector(a_), sums);
  sums.read(std::as_writable_bytes(std::span(found)));
  for (std::size_t row = 0; row < rows; ++row)
    EXPECT_NEAR(found[row], expected[row], 1e-15 * static_cast<double>(size_));
}

TEST_P(CudaVectors, ProductsComeTogether) {
  const CudaVector a = vector(a_), b = vector(b_);
  std::vector<double> found(3, -1);
  (void)shim_.calls();
  algebra_->dots({{a, b}, {b, b}, {a, a}}, found);
  EXPECT_EQ(shim_.calls().waits, size_ > 0 ? 1 : 0);
  EXPECT_EQ(found, (std::vector<double>{dot(a, b), dot(b, b), dot(a, a)}));
}

// Sums of several kernels that are one sum.
TEST_P(CudaVectors, PartialSumsMayBeOfSeveralKernels) {
  const CudaVector a = vector(a_), b = vector(b_);
  CudaPartials partials = algebra_->partials(2 * sum_chunks(size_));
  partials.add(algebra_->dot, size_, a.array(), b.array());
  partials.add(algebra_->sum, size_, a.array());
  EXPECT_NEAR(algebra_->total(partials), dot(a_, b_) + sum(a_), 1e-14 * static_cast<double>(size_));
}

// So many that their addresses are more than one launch brings there.
TEST_P(CudaVectors, ManyAreMultipliedAndAddedAtOnce) {
  constexpr std::size_t many = 45;
  std::vector<CudaVector> vectors;
  std::vector<std::vector<double>> values_of_them;
  std::vector<std::uint64_t> addresses;
  for (std::size_t k = 0; k < many; ++k) {
    values_of_them.push_back(random_numbers(size_, static_cast<unsigned>(k) + 5));
    addresses.push_back(vectors.emplace_back(vector(values_of_them.back())).array().address());
  }
  auto& gpu = shim_.engine.device();
  CudaArray table = gpu.allocate(many * sizeof(std::uint64_t)), numbers = gpu.allocate(many * sizeof(double));
  const CudaVector a = vector(a_);
  CudaVector y = vector(b_);
  (void)shim_.copied();
  algebra_->put(std::as_bytes(std::span(addresses)), table);
  numbers.clear();
  algebra_->multiply_all(table.address(), many, a, numbers.address());
  algebra_->add_all(y, -0.5, numbers, table.address(), many);
  EXPECT_EQ(shim_.copied().up.bytes, 0u);
  std::vector<double> found(many), expected = b_;
  numbers.read(std::as_writable_bytes(std::span(found)));
  for (std::size_t k = 0; k < many; ++k) {
    EXPECT_EQ(found[k], dot(vectors[k], a));
    add_scaled(expected, -0.5 * found[k], values_of_them[k]);
  }
  const auto sum = values(y);
  for (std::size_t i = 0; i < size_; ++i) EXPECT_NEAR(sum[i], expected[i], 1e-12 * static_cast<double>(many));
  std::vector<std::uint64_t> back(many);
  table.read(std::as_writable_bytes(std::span(back)));
  EXPECT_EQ(back, addresses);
  CudaArray short_one = gpu.allocate(many);
  EXPECT_THROW(algebra_->put(std::as_bytes(std::span(addresses)), short_one), std::logic_error);
}

TEST_P(CudaVectors, RefuseOthersSizes) {
  CudaVector a = vector(a_), other(algebra_, size_ + 1);
  EXPECT_THROW(add_scaled(a, 1, other), std::logic_error);
  EXPECT_THROW(copy(other, a), std::logic_error);
  EXPECT_THROW(a.write(std::vector<double>(size_ + 1)), std::logic_error);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CudaVectors, ::testing::Values(0, 1, 255, 4096, 4097, 30000),
                         [](const auto& chosen) { return "Of" + std::to_string(chosen.param); });

}  // namespace
}  // namespace proxima::device
