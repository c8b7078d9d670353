// The slowest modes of a preconditioned matrix M K, by Lanczos, and what they add to the preconditioner: M + Z diag(1 /
// theta) Z^T with the Ritz vectors Z and Ritz values theta lifts their eigenvalues from theta to 1 + theta and leaves
// the others (additive coarse correction; the deflation of Nicolaides 1987 without its projections, which would need
// K Z at every state). Vectors are kept in fp32.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace proxima::solve {

class SlowModes {
 public:
  using Map = std::function<void(std::span<const double>, std::span<double>)>;

  SlowModes() = default;
  // At most `count` of the modes of M K with the least positive Ritz values below 1 after a few times as many steps.
  // `matrix` and `preconditioner` are symmetric, the second positive definite; vectors have `size` entries.
  SlowModes(std::size_t size, int count, const Map& matrix, const Map& preconditioner);

  std::span<const double> values() const { return values_; }   // theta, increasing
  std::span<const float> vector(std::size_t mode) const;       // Z^T M^-1 Z = 1, Z^T K Z = theta
  std::span<const float> vectors() const { return vectors_; }  // one behind the other
  // z <- z + Z diag(1/theta) Z^T r, the same bits for any number of threads.
  void add(std::span<const double> r, std::span<double> z) const;
  std::size_t bytes() const { return vectors_.size() * sizeof(float) + values_.size() * sizeof(double); }

 private:
  std::size_t size_ = 0;
  std::vector<double> values_;
  std::vector<float> vectors_;  // [mode][entry]
};

}  // namespace proxima::solve
