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

std::vector<double> Mixing::direction(std::span<const double> x, std::span<const double> f) {
  if (!last_x_.empty()) remember_difference(x, f);
  last_x_.assign(x.begin(), x.end());
  last_f_.assign(f.begin(), f.end());
  if (columns_.empty()) return {};
  std::vector<double> projections;
  projections.reserve(columns_.size());
  for (const Column& column : columns_) projections.push_back(device::dot(column.residual, f));
  const auto coefficients = mixing_coefficients(gram_, projections);
  if (coefficients.empty()) {
    drop();
    return {};
  }
  std::vector<double> result(f.begin(), f.end());
  for (std::size_t k = 0; k < columns_.size(); ++k) device::add_scaled(result, -coefficients[k], columns_[k].image);
  return result;
}

void Mixing::drop() {
  columns_.clear();
  gram_.clear();
}

void Mixing::clear() {
  drop();
  last_x_.clear();
}

void Mixing::remember_difference(std::span<const double> x, std::span<const double> f) {
  Column next;
  const std::size_t old = columns_.size(), dropped = old == window_ ? 1 : 0;
  if (dropped == 1) {
    next = std::move(columns_.front());
    columns_.erase(columns_.begin());
  }
  next.residual.resize(x.size());
  next.image.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    next.residual[i] = f[i] - last_f_[i];
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

Anderson::Anderson(Descent& point, int window) : point_(point), mixing_(window), residual_(point.x().size()) {}

bool Anderson::advance() {
  const double slope = point_.preconditioned_descent(residual_);
  const auto direction = mixing_.direction(point_.x(), residual_);
  if (!direction.empty()) {
    if (point_.try_step(direction, slope)) return true;
    mixing_.drop();
  }
  return point_.line_search(residual_, slope);
}

void run_anderson(Descent& point, const SolverSettings& settings) {
  Anderson anderson(point, settings.window > 0 ? settings.window : Anderson::default_window);
  point.outcome().end = point.iterate(anderson, settings.max_iterations);
  point.outcome().finished_by = Method::anderson;
}

}  // namespace proxima::solve
