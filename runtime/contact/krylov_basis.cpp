#include "runtime/contact/krylov_basis.hpp"

#include "kernels/kernels.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::contact {
namespace {

// Twice: what rounding leaves of the older vectors after the first time would slow the last digits down.
constexpr int passes = 2;
constexpr std::size_t block = kernels::vector_block;

}  // namespace

void KrylovBasis::append(In vector, double length) {
  vectors_.emplace_back(vector.begin(), vector.end());
  for (double& entry : vectors_.back()) entry /= length;
}

void KrylovBasis::orthogonalise(Out image, std::vector<double>& along) const {
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      const double share = device::dot(vectors_[i], image);
      along[i] += share;
      device::add_scaled(image, -share, vectors_[i]);
    }
}

void KrylovBasis::add(std::span<const double> coefficients, Out u) const {
  for (std::size_t i = 0; i < coefficients.size(); ++i) device::add_scaled(u, coefficients[i], vectors_[i]);
}

CudaKrylovBasis::CudaKrylovBasis(In like, std::size_t most)
    : chunks_((like.size() + kernels::sum_chunk - 1) / kernels::sum_chunk) {
  auto& device = like.algebra().engine().device();
  vectors_.reserve(most);
  addresses_ = device.allocate(most * sizeof(std::uint64_t));
  sums_ = device.allocate(most * sizeof(double));
  partial_ = device.allocate(most * chunks_ * sizeof(double));
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

void CudaKrylovBasis::orthogonalise(Out image, std::vector<double>& along) const {
  if (image.size() == 0) return;
  const device::CudaAlgebra& algebra = image.algebra();
  const auto count = static_cast<int>(image.size()), chunks = static_cast<int>(chunks_);
  std::vector<double> shares(vectors_.size());
  for (int pass = 0; pass < passes; ++pass) {
    constexpr std::size_t at_once = kernels::vectors_at_once;
    algebra.dot_vectors(chunks_ * ((vectors_.size() + at_once - 1) / at_once), block, partial_, addresses_,
                        image.array(), static_cast<int>(vectors_.size()), chunks, count);
    algebra.finish_dots(vectors_.size(), block, sums_, partial_, chunks);
    algebra.add_vectors.each(image.size(), block, image.array(), -1.0, sums_, addresses_,
                             static_cast<int>(vectors_.size()), count);
    sums_.read(std::as_writable_bytes(std::span(shares)));
    for (std::size_t i = 0; i < shares.size(); ++i) along[i] += shares[i];
  }
}

void CudaKrylovBasis::add(std::span<const double> coefficients, Out u) const {
  auto factors = u.algebra().engine().device().upload(std::as_bytes(coefficients));
  u.algebra().add_vectors.each(u.size(), block, u.array(), 1.0, factors, addresses_,
                               static_cast<int>(coefficients.size()), static_cast<int>(u.size()));
}

}  // namespace proxima::contact
