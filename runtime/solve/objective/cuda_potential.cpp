#include "runtime/solve/objective/cuda_potential.hpp"

#include "kernels/kernels.hpp"

namespace proxima::solve {

ElasticEnergy CudaPotential::value(const device::CudaVector& x) const {
  device::CudaAlgebra& algebra = objective_->algebra();
  device::CudaPartials sum = algebra.partials(objective_->energy_chunks() + device::sum_chunks(x.size()));
  objective_->add_elastic_energy(x, sum);
  sum.add(algebra.potential_difference, x.size(), objective_->inertia(), start_.array(), force_.array(), start_.array(),
          x.array());
  return {algebra.total(sum)};
}

void CudaPotential::set_imbalance(const device::CudaVector& x, device::CudaVector& result) const {
  device::CudaAlgebra& algebra = objective_->algebra();
  algebra.imbalance.each(x.size(), kernels::vector_block, result.array(), objective_->inertia(), x.array(),
                         start_.array(), force_.array(), static_cast<int>(x.size()));
}

CudaElasticPoint CudaPotential::elastic(const device::CudaVector& x) const {
  device::CudaVector gradient = objective_->vector();
  const double energy = objective_->elastic_energy_and_gradient(x, gradient);
  return {{energy}, std::move(gradient)};
}

device::CudaVector CudaPotential::imbalance(const device::CudaVector& x) const {
  device::CudaVector result = objective_->vector();
  set_imbalance(x, result);
  return result;
}

void CudaPotential::gradient(const device::CudaVector& x, device::CudaVector& result) const {
  set_imbalance(x, result);
  objective_->add_elastic_gradient(x, result);
}

void CudaPotential::gradient(const device::CudaVector& x, CudaItemEnergies& energies,
                             device::CudaVector& result) const {
  set_imbalance(x, result);
  objective_->add_elastic_gradient(x, energies, result);
}

void CudaPotential::proximal_gradient(const device::CudaVector& x, CudaDual& dual, device::CudaVector& result) const {
  set_imbalance(x, result);
  objective_->add_proximal_force(x, dual, result);
}

}  // namespace proxima::solve
