#include "runtime/contact/krylov_basis.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::contact {
namespace {

// Twice: what rounding leaves of the older vectors after the first time would slow the last digits down.
constexpr std::size_t passes = 2;
constexpr std::size_t block = kernels::vector_block;

std::vector<double> divided(std::span<const double> vector, double length) {
  std::vector<double> result(vector.begin(), vector.end());
  for (double& entry : result) entry /= length;
  return result;
}

}  // namespace

KrylovBasis::KrylovBasis(const Operator& op, In first, double length, std::size_t most)
    : op_(op), image_(first.size()) {
  vectors_.reserve(most);
  vectors_.push_back(divided(first, length));
}

std::vector<KrylovColumn> KrylovBasis::extend(int) {
  op_.apply(vectors_.back(), image_);
  KrylovColumn column(vectors_.size() + 1);
  for (std::size_t pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const double share = device::dot(vectors_[i], image_);
      column[i] += share;
      device::add_scaled(image_, -share, vectors_[i]);
    }
  column.back() = device::norm(image_);
  if (column.back() > 0) vectors_.push_back(divided(image_, column.back()));
  return {std::move(column)};
}

void KrylovBasis::add(std::span<const double> coefficients, Out u) const {
  for (std::size_t i = 0; i < coefficients.size(); ++i) device::add_scaled(u, coefficients[i], vectors_[i]);
}

CudaKrylovBasis::CudaKrylovBasis(const Operator& op, In first, double length, std::size_t most)
    : op_(op),
      algebra_(&first.algebra()),
      last_(device::like(first)),
      image_(device::like(first)),
      apply_(algebra_->ahead, [this] { op_.apply(last_, image_); }, op.queued) {
  auto& gpu = algebra_->engine().device();
  (void)algebra_->partials(most * device::sum_chunks(first.size()));  // an operator's graph may know where they are
  vectors_.reserve(most);
  addresses_ = gpu.allocate(most * sizeof(std::uint64_t));
  numbers_ = gpu.allocate(static_cast<std::size_t>(algebra_->ahead.most) * (passes * most + 1) * sizeof(double));
  append(first, length, 0);
}

int CudaKrylovBasis::ahead(double start, double now, double target, int iterations) const {
  return apply_.next(start, now, target, iterations);
}

void CudaKrylovBasis::append(const device::CudaVector& x, double length, std::uint64_t square) {
  const auto place = static_cast<int>(vectors_.size());
  const auto& vector = vectors_.emplace_back(algebra_->engine().device().allocate(x.size() * sizeof(double)));
  algebra_->keep_divided.each(x.size(), block, vector, last_.array(), addresses_, place, x.array(), length, square,
                              static_cast<int>(x.size()));
}

void CudaKrylovBasis::orthogonalise(std::size_t first) {
  const std::size_t size = vectors_.size();
  for (std::size_t pass = 0; pass < passes; ++pass) {
    algebra_->multiply_all(addresses_.address(), size, image_, number(first + pass * size));
    algebra_->add_vectors.each(image_.size(), block, image_.array(), -1.0, number(first + pass * size), addresses_,
                               static_cast<int>(size), static_cast<int>(image_.size()));
  }
  algebra_->multiply(image_, image_, number(first + passes * size));
}

std::vector<KrylovColumn> CudaKrylovBasis::extend(int most) {
  if (image_.size() == 0) return {KrylovColumn(vectors_.size() + 1)};
  const std::size_t before = vectors_.size();
  const int count = std::min(most, algebra_->ahead.most);
  std::size_t used = 0;
  for (int k = 0; k < count; ++k) {
    apply_();
    orthogonalise(used);
    used += passes * vectors_.size() + 1;
    append(image_, 1, number(used - 1));
  }
  std::vector<double> numbers(used);
  numbers_.read(std::as_writable_bytes(std::span(numbers)));
  std::vector<KrylovColumn> columns;
  const double* from = numbers.data();
  for (std::size_t size = before; size < vectors_.size(); ++size) {
    KrylovColumn& column = columns.emplace_back(size + 1);
    for (std::size_t i = 0; i < passes * size; ++i) column[i % size] += *from++;
    column.back() = std::sqrt(*from++);
  }
  return columns;
}

void CudaKrylovBasis::add(std::span<const double> coefficients, Out u) const {
  const auto factors = algebra_->engine().device().upload_own(std::as_bytes(coefficients));
  algebra_->add_all(u, 1, factors, addresses_.address(), coefficients.size());
}

}  // namespace proxima::contact
