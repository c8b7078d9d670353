#include "runtime/solve/anderson.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

// Of the trace of the Gram matrix: far below what the differences of f tell apart, above their rounding.
constexpr double regularisation = 1e-12;
constexpr double largest_coefficient = 1e4;

}  // namespace

std::vector<double> mixing_coefficients(std::span<const double> gram, std::span<const double> projections) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<long>(projections.size());
  Matrix regularised = Eigen::Map<const Matrix>(gram.data(), n, n);
  regularised.diagonal().array() += regularisation * regularised.trace();
  if (!regularised.allFinite()) return {};
  const Eigen::VectorXd found = regularised.ldlt().solve(Eigen::Map<const Eigen::VectorXd>(projections.data(), n));
  if (!found.allFinite() || found.cwiseAbs().maxCoeff() > largest_coefficient) return {};
  return {found.begin(), found.end()};
}

Anderson::Anderson(Descent& point, int window)
    : point_(point),
      window_(static_cast<std::size_t>(window)),
      residual_(point.x().size()),
      last_residual_(point.x().size()),
      last_x_(point.x().size()),
      direction_(point.x().size()) {}

bool Anderson::advance() {
  const double slope = point_.preconditioned_descent(residual_);
  if (started_) remember_difference();
  started_ = true;
  std::copy(residual_.begin(), residual_.end(), last_residual_.begin());
  std::copy(point_.x().begin(), point_.x().end(), last_x_.begin());
  if (!columns_.empty()) {
    std::vector<double> projections;
    projections.reserve(columns_.size());
    for (const Column& column : columns_) projections.push_back(device::dot(column.residual, residual_));
    const auto coefficients = mixing_coefficients(gram_, projections);
    if (!coefficients.empty()) {
      extrapolate(coefficients);
      if (point_.try_step(direction_, slope)) return true;
    }
    columns_.clear();
    gram_.clear();
  }
  return point_.line_search(residual_, slope);
}

void Anderson::remember_difference() {
  Column next;
  const std::size_t old = columns_.size(), dropped = old == window_ ? 1 : 0;
  if (dropped == 1) {
    next = std::move(columns_.front());
    columns_.erase(columns_.begin());
  }
  const auto x = point_.x();
  next.residual.resize(x.size());
  next.image.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    next.residual[i] = residual_[i] - last_residual_[i];
    next.image[i] = next.residual[i] + (x[i] - last_x_[i]);
  }
  columns_.push_back(std::move(next));
  const std::size_t count = columns_.size();
  std::vector<double> gram(count * count);
  for (std::size_t i = 0; i + 1 < count; ++i)
    for (std::size_t j = 0; j + 1 < count; ++j) gram[i * count + j] = gram_[(i + dropped) * old + j + dropped];
  for (std::size_t i = 0; i < count; ++i)
    gram[i * count + count - 1] = gram[(count - 1) * count + i] =
        device::dot(columns_[i].residual, columns_.back().residual);
  gram_ = std::move(gram);
}

void Anderson::extrapolate(std::span<const double> coefficients) {
  std::copy(residual_.begin(), residual_.end(), direction_.begin());
  for (std::size_t k = 0; k < columns_.size(); ++k) device::add_scaled(direction_, -coefficients[k], columns_[k].image);
}

void run_anderson(Descent& point, const SolverSettings& settings) {
  Anderson anderson(point, settings.window > 0 ? settings.window : Anderson::default_window);
  point.outcome().end = point.iterate(anderson, settings.max_iterations);
  point.outcome().finished_by = Method::anderson;
}

}  // namespace proxima::solve
