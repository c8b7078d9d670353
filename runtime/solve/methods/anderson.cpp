#include "runtime/solve/methods/anderson.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <utility>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

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

template <class System>
std::optional<typename System::Vector> BasicMixing<System>::direction(In x, In f) {
  const std::size_t dropped = columns_.full() ? 1 : 0;
  if (last_)
    columns_.add(x, f, last_->x, last_->f);
  else
    last_.emplace(device::like(x), device::like(f));
  device::copy(x, last_->x);
  device::copy(f, last_->f);
  if (columns_.size() == 0) return std::nullopt;
  const MixingProducts products = columns_.products(f);
  extend_gram(dropped, products.newest);
  const auto coefficients = mixing_coefficients(gram_, products.projections);
  if (coefficients.empty()) {
    drop();
    return std::nullopt;
  }
  Vector result = device::like(f);
  device::copy(f, result);
  columns_.take(coefficients, result);
  return result;
}

template <class System>
void BasicMixing<System>::drop() {
  columns_.clear();
  gram_.clear();
}

template <class System>
void BasicMixing<System>::clear() {
  drop();
  last_.reset();
}

template <class System>
void BasicMixing<System>::extend_gram(std::size_t dropped, const std::vector<double>& newest) {
  const std::size_t count = newest.size(), old = count - 1 + dropped;
  std::vector<double> gram(count * count);
  for (std::size_t i = 0; i + 1 < count; ++i)
    for (std::size_t j = 0; j + 1 < count; ++j) gram[i * count + j] = gram_[(i + dropped) * old + j + dropped];
  for (std::size_t i = 0; i < count; ++i) gram[i * count + count - 1] = gram[(count - 1) * count + i] = newest[i];
  gram_ = std::move(gram);
}

template <class P>
Anderson<P>::Anderson(BasicDescent<P>& point, int window)
    : point_(point), mixing_(window), residual_(point.objective().vector()) {}

template <class P>
bool Anderson<P>::advance() {
  point_.preconditioned_descent(residual_);
  if (const auto direction = mixing_.direction(point_.x(), residual_)) {
    if (point_.try_step(*direction, residual_)) return true;
    mixing_.drop();
  }
  return point_.line_search(residual_);
}

template <class P>
void run_anderson(BasicDescent<P>& point, const SolverSettings& settings) {
  Anderson<P> anderson(point, settings.window > 0 ? settings.window : Anderson<P>::default_window);
  point.outcome().end = point.iterate(anderson, settings.max_iterations);
  point.outcome().finished_by = Method::anderson;
}

template class BasicMixing<Objective>;
template class BasicMixing<CudaObjective>;
template void run_anderson(Descent&, const SolverSettings&);
template void run_anderson(BasicDescent<CudaPotential>&, const SolverSettings&);

}  // namespace proxima::solve
