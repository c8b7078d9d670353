#include "runtime/solve/lbfgs.hpp"

#include <algorithm>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

// Pairs whose angle has a smaller cosine tell of rounding, or of negative curvature, and would spoil the metric.
constexpr double least_cosine = 1e-14;

}  // namespace

Lbfgs::Lbfgs(Descent& point, int window)
    : point_(point),
      window_(static_cast<std::size_t>(window)),
      last_x_(point.x().size()),
      last_gradient_(point.x().size()),
      direction_(point.x().size()),
      work_(point.x().size()) {}

bool Lbfgs::advance() {
  if (started_) remember_pair();
  started_ = true;
  std::copy(point_.x().begin(), point_.x().end(), last_x_.begin());
  std::copy(point_.gradient().begin(), point_.gradient().end(), last_gradient_.begin());
  if (point_.line_search(direction_, two_loops())) return true;
  if (pairs_.empty()) return false;
  pairs_.clear();
  return point_.line_search(direction_, point_.preconditioned_descent(direction_));
}

void Lbfgs::remember_pair() {
  Pair next;
  if (pairs_.size() == window_) {
    next = std::move(pairs_.front());
    pairs_.erase(pairs_.begin());
  }
  const auto x = point_.x(), gradient = point_.gradient();
  next.step.resize(x.size());
  next.change.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    next.step[i] = x[i] - last_x_[i];
    next.change[i] = gradient[i] - last_gradient_[i];
  }
  next.product = device::dot(next.step, next.change);
  if (next.product > least_cosine * device::norm(next.step) * device::norm(next.change))
    pairs_.push_back(std::move(next));
}

double Lbfgs::two_loops() {
  const auto gradient = point_.gradient();
  std::copy(gradient.begin(), gradient.end(), work_.begin());
  std::vector<double> shares(pairs_.size());
  for (std::size_t k = pairs_.size(); k-- > 0;) {
    shares[k] = device::dot(pairs_[k].step, work_) / pairs_[k].product;
    device::add_scaled(work_, -shares[k], pairs_[k].change);
  }
  point_.objective().precondition(work_, direction_);
  ++point_.outcome().a_solves;
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    device::add_scaled(direction_, shares[k] - device::dot(pairs_[k].change, direction_) / pairs_[k].product,
                       pairs_[k].step);
  for (double& value : direction_) value = -value;
  return device::dot(gradient, direction_);
}

void run_lbfgs(Descent& point, const SolverSettings& settings) {
  Lbfgs lbfgs(point, settings.window > 0 ? settings.window : Lbfgs::default_window);
  point.outcome().end = point.iterate(lbfgs, settings.max_iterations);
  point.outcome().finished_by = Method::lbfgs;
}

}  // namespace proxima::solve
