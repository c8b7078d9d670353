#include "runtime/solve/methods/cuda_trial_step.hpp"

#include <cmath>
#include <utility>

#include "kernels/kernels.hpp"

namespace proxima::solve {

TrialStep<CudaPotential>::TrialStep(const CudaPotential& potential)
    : potential_(&potential),
      chunks_(device::sum_chunks(potential.objective().size())),
      end_(potential.objective().vector()),
      end_gradient_(potential.objective().vector()),
      here_(potential.objective().item_energies()),
      there_(potential.objective().item_energies()) {
  constexpr std::size_t sums = sizeof(Numbers) / sizeof(double);
  device::CudaDevice& gpu = potential.objective().algebra().engine().device();
  partial_ = gpu.allocate((potential.objective().energy_chunks() + sums * chunks_) * sizeof(double));
  results_ = gpu.allocate(sizeof(Numbers));
}

void TrialStep<CudaPotential>::begin(const Vector& x, const Vector& gradient, const Vector& direction, double length,
                                     const Vector& measure) {
  const CudaObjective& objective = potential_->objective();
  const device::CudaAlgebra& algebra = objective.algebra();
  device::combine(end_, x, length, direction);
  device::CudaPartials elements(partial_.address() + chunks_ * sizeof(double));
  potential_->gradient(end_, there_, end_gradient_);
  objective.add_elastic_difference(here_, there_, elements);
  const auto more = static_cast<int>(elements.count());
  algebra.step_sums(chunks_, kernels::sum_block, partial_, static_cast<int>(chunks_), more, x.array(), end_.array(),
                    gradient.array(), end_gradient_.array(), direction.array(), measure.array(), objective.inertia(),
                    potential_->start().array(), potential_->force().array(), objective.diagonal(),
                    static_cast<int>(x.size()));
  algebra.finish_step(sizeof(Numbers) / sizeof(double), kernels::sum_block, results_, partial_,
                      static_cast<int>(chunks_), more);
  results_.read(std::as_writable_bytes(std::span(&numbers_, 1)));
  at_start_ = true;
}

double TrialStep<CudaPotential>::end_norm() const { return std::sqrt(numbers_.end_square); }

double TrialStep<CudaPotential>::rounding(const Vector& x) const {
  const CudaObjective& objective = potential_->objective();
  return at_start_ ? CudaObjective::rounding_of(numbers_.weighed_square) : objective.gradient_rounding(x);
}

void TrialStep<CudaPotential>::take(Vector& x, Vector& gradient) {
  device::copy(end_, x);
  std::swap(gradient, end_gradient_);
  std::swap(here_, there_);
  pair_ = {numbers_.pair_product, std::sqrt(numbers_.step_square), std::sqrt(numbers_.change_square)};
  at_start_ = false;
}

}  // namespace proxima::solve
