// A state at the end of an implicit step that is nearer to what solves it than the one that was found.
#pragma once

#include <span>

#include "runtime/adjoint/system_solver.hpp"
#include "runtime/solve/step/cuda_place.hpp"
#include "runtime/solve/step/host_place.hpp"

namespace proxima::adjoint {

// Of what a correction leaves of a residual.
inline constexpr double reduction = 1e-2;

template <class Place>  // solve::HostPlace, or solve::CudaPlace
class StateCorrection {
 public:
  // Linear systems are solved as `adjoint` says, steps with contact go on as `steps` does, by Newton.
  StateCorrection(Place place, const solve::StepSettings& steps, const AdjointSettings& adjoint);

  // From the end of a step that was taken, in the problem that starts from `before`: a Newton step, its linear system
  // solved to a hundredth; where there is contact as many as it takes, since what is open, sticks and slides may be
  // another once it is solved. Enters that step. Throws Error naming the time where contacts are not resolved.
  solve::State operator()(const solve::SubStep& step, const solve::State& before, std::span<const double> driven);

 private:
  using System = typename Place::System;
  using Potential = typename Place::Potential;
  using Out = typename System::Out;

  const System& system() const { return place_.objective(); }
  void solve_free(const Potential& potential, Out x);
  void resolve_contacts(const Potential& potential, const solve::SubStep& step, const solve::State& before, Out x);

  Place place_;
  solve::StepSettings steps_;
  SystemSolver<System> solver_;
};

}  // namespace proxima::adjoint
