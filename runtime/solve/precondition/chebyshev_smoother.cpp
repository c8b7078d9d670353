#include "runtime/solve/precondition/chebyshev_smoother.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "kernels/matrix3.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// The part of the spectrum that is damped: above the largest eigenvalue over this.
constexpr double damped = 8;
// Power iterations for the largest eigenvalue, and what they may still lack. The polynomial stays positive up to 1 +
// 1/damped times the end of its interval.
constexpr int power_iterations = 30;
constexpr double margin = 1.1;

Block inverse_of(const Block& block) {
  const Matrix m = Eigen::Map<const Matrix>(block.data());
  Block result{};
  Eigen::Map<Matrix> inverse(result.data());
  const Eigen::LLT<Eigen::Matrix3d> factor{Eigen::Matrix3d(m)};
  const double largest = m.cwiseAbs().maxCoeff();
  if (factor.info() == Eigen::Success && factor.rcond() > 1e-12) {
    inverse = factor.solve(Eigen::Matrix3d::Identity());
  } else if (largest > 0) {
    inverse = Matrix::Identity() / largest;
  }
  return result;
}

}  // namespace

ChebyshevSmoother::ChebyshevSmoother(const BlockMatrix<float>& matrix, const std::vector<Block>& diagonal)
    : residual_(3 * diagonal.size()), update_(residual_.size()) {
  inverse_.reserve(diagonal.size());
  for (const Block& block : diagonal) inverse_.push_back(inverse_of(block));
  const std::vector<double> zero(residual_.size());
  std::vector<double> v(residual_.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::sin(7.3 * static_cast<double>(i) * static_cast<double>(i));
  for (int k = 0; k < power_iterations; ++k) {
    const double size = device::norm(v);
    if (!(size > 0)) break;
    for (double& entry : v) entry /= size;
    matrix.residual(zero, v, residual_);
    divide(residual_, v);
    largest_ = margin * device::norm(v);
  }
}

void ChebyshevSmoother::divide(std::span<const double> r, std::span<double> z) const {
  for (std::size_t row = 0; row < inverse_.size(); ++row)
    kernels::multiply(inverse_[row].data(), &r[3 * row], &z[3 * row]);
}

ChebyshevSmoother::Coefficients ChebyshevSmoother::coefficients() const {
  const double high = largest_, low = largest_ / damped, middle = (high + low) / 2, half = (high - low) / 2;
  const double rho = half / middle, next = 1 / (2 / rho - rho);
  return {1 / middle, 1 + next * rho, 2 * next / half};
}

void ChebyshevSmoother::apply(const BlockMatrix<float>& matrix, std::span<const double> r, std::span<double> z) {
  const auto [first, own, update] = coefficients();
  divide(r, z);
  for (double& entry : z) entry *= first;
  matrix.residual(r, z, residual_);
  divide(residual_, update_);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = own * z[i] + update * update_[i];
}

std::size_t ChebyshevSmoother::bytes() const {
  return inverse_.size() * sizeof(Block) + (residual_.size() + update_.size()) * sizeof(double);
}

}  // namespace proxima::solve
