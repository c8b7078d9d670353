#include "runtime/solve/methods/lbfgs.hpp"

#include <utility>

#include "runtime/solve/methods/lbfgs_loops.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {

template <class P>
Lbfgs<P>::Lbfgs(BasicDescent<P>& point, int window)
    : point_(point),
      window_(static_cast<std::size_t>(window)),
      last_x_(point.objective().vector()),
      last_gradient_(point.objective().vector()),
      direction_(point.objective().vector()),
      work_(point.objective().vector()) {}

template <class P>
bool Lbfgs<P>::advance() {
  if (started_) remember_pair();
  started_ = true;
  device::copy(point_.x(), last_x_);
  device::copy(point_.gradient(), last_gradient_);
  if (point_.line_search(direction_, two_loops())) return true;
  if (pairs_.empty()) return false;
  pairs_.clear();
  return point_.line_search(direction_, point_.preconditioned_descent(direction_));
}

template <class P>
void Lbfgs<P>::remember_pair() {
  const bool full = pairs_.size() == window_;
  Pair next = full ? std::move(pairs_.front()) : Pair{point_.objective().vector(), point_.objective().vector()};
  if (full) pairs_.erase(pairs_.begin());
  device::combine(next.step, point_.x(), -1, last_x_);
  device::combine(next.change, point_.gradient(), -1, last_gradient_);
  if (complete(next)) pairs_.push_back(std::move(next));
}

template <class P>
double Lbfgs<P>::two_loops() {
  device::copy(point_.gradient(), work_);
  const auto shares = take_shares(pairs_, work_);
  point_.objective().precondition(work_, direction_);
  ++point_.outcome().a_solves;
  give_shares(pairs_, shares, direction_);
  device::negate(direction_);
  return device::dot(point_.gradient(), direction_);
}

template <class P>
void run_lbfgs(BasicDescent<P>& point, const SolverSettings& settings) {
  Lbfgs<P> lbfgs(point, settings.window > 0 ? settings.window : Lbfgs<P>::default_window);
  point.outcome().end = point.iterate(lbfgs, settings.max_iterations);
  point.outcome().finished_by = Method::lbfgs;
}

template class Lbfgs<Potential>;
template class Lbfgs<CudaPotential>;
template void run_lbfgs(Descent&, const SolverSettings&);
template void run_lbfgs(BasicDescent<CudaPotential>&, const SolverSettings&);

}  // namespace proxima::solve
