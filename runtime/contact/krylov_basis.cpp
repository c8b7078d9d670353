#include "runtime/contact/krylov_basis.hpp"

#include <cmath>

#include "kernels/kernels.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::contact {
namespace {

// Twice: what rounding leaves of the older vectors after the first time would slow the last digits down.
constexpr std::size_t passes = 2;
constexpr std::size_t block = kernels::vector_block;

}  // namespace

void KrylovBasis::append(In vector, double length) {
  vectors_.emplace_back(vector.begin(), vector.end());
  for (double& entry : vectors_.back()) entry /= length;
}

double KrylovBasis::orthogonalise(Out image, std::vector<double>& along) const {
  for (std::size_t pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const double share = device::dot(vectors_[i], image);
      along[i] += share;
      device::add_scaled(image, -share, vectors_[i]);
    }
  return device::norm(image);
}

void KrylovBasis::add(std::span<const double> coefficients, Out u) const {
  for (std::size_t i = 0; i < coefficients.size(); ++i) device::add_scaled(u, coefficients[i], vectors_[i]);
}

CudaKrylovBasis::CudaKrylovBasis(In like, std::size_t most) {
  auto& device = like.algebra().engine().device();
  vectors_.reserve(most);
  addresses_ = device.allocate(most * sizeof(std::uint64_t));
  image_ = device.allocate(sizeof(std::uint64_t));
  numbers_ = device.allocate((passes * most + 1) * sizeof(double));
}

void CudaKrylovBasis::append(In vector, double length) {
  Vector& last = vectors_.emplace_back(device::like(vector));
  device::copy(vector, last);
  device::divide(last, length);
  std::vector<std::uint64_t> addresses;
  addresses.reserve(vectors_.size());
  for (const auto& each : vectors_) addresses.push_back(each.array().address());
  addresses_.write_first(std::as_bytes(std::span(addresses)));
}

double CudaKrylovBasis::orthogonalise(Out image, std::vector<double>& along) const {
  if (image.size() == 0) return 0;
  device::CudaAlgebra& algebra = image.algebra();
  const std::size_t size = vectors_.size();
  const auto number = [&](std::size_t i) { return numbers_.address() + i * sizeof(double); };
  for (std::size_t pass = 0; pass < passes; ++pass) {
    algebra.multiply_all(addresses_.address(), size, image, number(pass * size));
    algebra.add_vectors.each(image.size(), block, image.array(), -1.0, number(pass * size), addresses_,
                             static_cast<int>(size), static_cast<int>(image.size()));
  }
  const std::uint64_t itself = image.array().address();
  algebra.put(std::as_bytes(std::span(&itself, 1)), image_);
  algebra.multiply_all(image_.address(), 1, image, number(passes * size));
  std::vector<double> numbers(passes * size + 1);
  numbers_.read(std::as_writable_bytes(std::span(numbers)));
  for (std::size_t i = 0; i < passes * size; ++i) along[i % size] += numbers[i];
  return std::sqrt(numbers.back());
}

void CudaKrylovBasis::add(std::span<const double> coefficients, Out u) const {
  auto factors = u.algebra().engine().device().upload_own(std::as_bytes(coefficients));
  u.algebra().add_vectors.each(u.size(), block, u.array(), 1.0, factors, addresses_,
                               static_cast<int>(coefficients.size()), static_cast<int>(u.size()));
}

}  // namespace proxima::contact
