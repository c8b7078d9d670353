#include "runtime/solve/methods/lbfgs.hpp"

#include <utility>

#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {

template <class P>
Lbfgs<P>::Lbfgs(BasicDescent<P>& point, int window)
    : point_(point),
      pairs_(window),
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
  two_loops();
  if (point_.line_search(direction_)) return true;
  if (pairs_.empty()) return false;
  pairs_.clear();
  point_.preconditioned_descent(direction_);
  return point_.line_search(direction_);
}

template <class P>
void Lbfgs<P>::remember_pair() {
  using Pair = typename Pairs::Pair;
  Pair next = pairs_.full() ? pairs_.take_oldest() : Pair{point_.objective().vector(), point_.objective().vector()};
  device::combine(next.step, point_.x(), -1, last_x_);
  device::combine(next.change, point_.gradient(), -1, last_gradient_);
  pairs_.add(std::move(next), point_.pair());
}

template <class P>
void Lbfgs<P>::two_loops() {
  device::copy(point_.gradient(), work_);
  pairs_.take_shares(work_);
  point_.objective().precondition(work_, direction_);
  ++point_.outcome().a_solves;
  pairs_.give_shares(direction_);
  device::negate(direction_);
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
