// What an implicit step is given, of a body on a GPU: StepGiven has the words.
#pragma once

#include "runtime/solve/objective/cuda_potential.hpp"
#include "runtime/solve/step/cuda_conditions.hpp"
#include "runtime/solve/step/implicit_step.hpp"

namespace proxima::solve {

class CudaGiven {
 public:
  using Potential = CudaPotential;

  // `driven`: what controllers set in the step. Keeps references.
  CudaGiven(const CudaConditions& conditions, const ImplicitStep& step, const CudaStepStart& start,
            const CudaState& state, std::span<const double> driven);

  const ImplicitStep& step() const { return step_; }
  const CudaPotential& potential() const { return potential_; }
  bool inertia() const { return start_.row->inertia; }
  const device::CudaVector& positions() const { return state_.positions; }
  const device::CudaVector& velocities() const { return state_.velocities; }

  void place_held(double fraction, device::CudaVector& x) const {
    conditions_.place_held(state_.positions, targets_, fraction, x);
  }
  void set_free_flight(device::CudaVector& x) const {
    conditions_.set_free_flight(start_.positions, potential_.force(), x);
  }

  // The host's objective enters the step, too: nothing else is to be asked of this one afterwards.
  std::string describe_outside(const ElasticEnergy& energy, const device::CudaVector& x) const;
  std::string describe_infinite(const device::CudaVector& x) const;
  std::string describe_compressed(const device::CudaVector& x) const;

 private:
  const Objective& on_host() const;

  const CudaConditions& conditions_;
  const ImplicitStep& step_;
  const CudaStepStart& start_;
  const CudaState& state_;
  std::span<const double> driven_;
  device::CudaVector targets_;
  CudaPotential potential_;
};

}  // namespace proxima::solve
