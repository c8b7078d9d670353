#include "runtime/solve/precondition/slow_modes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/precondition/instruction_sets.hpp"

namespace proxima::solve {
namespace {

constexpr int steps_a_mode = 4;
// A Krylov space ends where the next vector is this much shorter than the first entry of the tridiagonal matrix.
constexpr double exhausted = 1e-10;
// Ritz values that rounding of the matrix to fp32 cannot tell from zero: motions that next to nothing resists.
constexpr double least_value = 1e-6;
constexpr std::size_t chunk = 1024, lanes = 8;

PROXIMA_FOR_EACH_INSTRUCTION_SET double dot(const float* a, const double* b, std::size_t size) {
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += static_cast<double>(a[i + lane]) * b[i + lane];
  double sum = 0;
  for (; i < size; ++i) sum += static_cast<double>(a[i]) * b[i];
  for (const double partial : sums) sum += partial;
  return sum;
}

PROXIMA_FOR_EACH_INSTRUCTION_SET void add_scaled(const float* a, double scale, double* b, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) b[i] += scale * static_cast<double>(a[i]);
}

// Lanczos vectors of M K that are orthonormal in the inner product of M^-1: q = M w, and the tridiagonal matrix.
struct Lanczos {
  std::vector<std::vector<double>> q, w;
  std::vector<double> diagonal, off_diagonal;
};

// w less its components along all vectors so far; twice, so that it is to rounding (Kahan and Parlett).
void orthogonalise(const Lanczos& lanczos, std::span<double> w) {
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t j = 0; j < lanczos.q.size(); ++j)
      device::add_scaled(w, -device::dot(lanczos.q[j], w), lanczos.w[j]);
}

Lanczos run_lanczos(std::size_t size, int steps, const SlowModes::Map& matrix, const SlowModes::Map& preconditioner) {
  Lanczos result;
  std::vector<double> w(size), q(size);
  for (std::size_t i = 0; i < size; ++i) w[i] = std::sin(3.7 * static_cast<double>(i) * static_cast<double>(i) + 1);
  while (result.q.size() < std::min(size, static_cast<std::size_t>(steps))) {
    preconditioner(w, q);
    const double squared = device::dot(w, q);
    if (!(squared > 0) || !std::isfinite(squared)) break;
    const double length = std::sqrt(squared);
    if (!result.diagonal.empty()) {
      if (length < exhausted * std::abs(result.diagonal.front())) break;
      result.off_diagonal.push_back(length);
    }
    for (std::size_t i = 0; i < size; ++i) {
      w[i] /= length;
      q[i] /= length;
    }
    result.w.push_back(w);
    result.q.push_back(q);
    matrix(q, w);
    result.diagonal.push_back(device::dot(q, w));
    orthogonalise(result, w);
  }
  return result;
}

}  // namespace

SlowModes::SlowModes(std::size_t size, int count, const Map& matrix, const Map& preconditioner) {
  if (count <= 0 || size == 0) return;
  const Lanczos lanczos = run_lanczos(size, steps_a_mode * count, matrix, preconditioner);
  if (lanczos.q.empty()) return;
  const auto found = static_cast<Eigen::Index>(lanczos.diagonal.size());
  Eigen::MatrixXd t = Eigen::MatrixXd::Zero(found, found);
  for (Eigen::Index i = 0; i < found; ++i) {
    t(i, i) = lanczos.diagonal[static_cast<std::size_t>(i)];
    if (i > 0) t(i, i - 1) = t(i - 1, i) = lanczos.off_diagonal[static_cast<std::size_t>(i - 1)];
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(t);
  if (eigen.info() != Eigen::Success) return;
  std::vector<Eigen::Index> taken;
  for (Eigen::Index i = 0; i < found && static_cast<int>(taken.size()) < count; ++i)
    if (eigen.eigenvalues()[i] > least_value && eigen.eigenvalues()[i] < 1) taken.push_back(i);
  size_ = size;
  vectors_.resize(size * taken.size());
  std::vector<double> mode(size);
  for (std::size_t k = 0; k < taken.size(); ++k) {
    values_.push_back(eigen.eigenvalues()[taken[k]]);
    std::fill(mode.begin(), mode.end(), 0.0);
    for (Eigen::Index j = 0; j < found; ++j)
      device::add_scaled(mode, eigen.eigenvectors()(j, taken[k]), lanczos.q[static_cast<std::size_t>(j)]);
    std::transform(mode.begin(), mode.end(), vectors_.begin() + static_cast<std::ptrdiff_t>(k * size),
                   [](double entry) { return static_cast<float>(entry); });
  }
}

std::span<const float> SlowModes::vector(std::size_t mode) const {
  return std::span(vectors_).subspan(mode * size_, size_);
}

void SlowModes::add(std::span<const double> r, std::span<double> z) const {
  const std::size_t count = values_.size(), parts = (r.size() + chunk - 1) / chunk;
  std::vector<double> part(count * parts), coefficient(count);
  device::parallel_chunks(r.size(), chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < count; ++k)
      part[k * parts + begin / chunk] = dot(&vectors_[k * size_ + begin], &r[begin], end - begin);
  });
  for (std::size_t k = 0; k < count; ++k)
    coefficient[k] = device::sum(std::span<const double>(part).subspan(k * parts, parts)) / values_[k];
  device::parallel_chunks(r.size(), chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < count; ++k)
      add_scaled(&vectors_[k * size_ + begin], coefficient[k], &z[begin], end - begin);
  });
}

}  // namespace proxima::solve
