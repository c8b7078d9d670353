// Steps of a body on a GPU, whose state stays there: what goes over in a step are the numbers of sums, and what
// controllers and surface loads look at where there are any. As HostPlace.
#pragma once

#include "runtime/solve/step/cuda_given.hpp"

namespace proxima::solve {

class CudaPlace {
 public:
  using State = CudaState;
  using Start = CudaStepStart;
  using System = CudaObjective;
  using Potential = CudaPotential;

  // Both must stay as they are.
  CudaPlace(CudaObjective& objective, const model::Model& model) : conditions_(objective, model) {}

  const model::Model& model() const { return conditions_.model(); }
  const CudaObjective& objective() const { return conditions_.objective(); }
  State copied(const State& state) const { return solve::copied(state); }
  State placed(const solve::State& state) const { return uploaded(objective(), state); }
  solve::State on_host(const State& state) const { return downloaded(objective(), state); }
  device::CudaVector placed(std::span<const double> positions) const { return objective().uploaded(positions); }
  std::vector<double> driven(int step, const State& state) const;
  Start start(const State& state) const { return step_start(model(), state); }
  Start start(model::Integrator integrator, double length, const State& state) const {
    return step_start(integrator, length, state);
  }
  void enter(double time, const Start& start, const State& state, std::span<const double> driven) const;
  device::CudaVector solve(const StepSettings& settings, const ImplicitStep& step, const Start& start,
                           const State& state, std::span<const double> driven, StepReport& report) const;
  SubStep sub_step(const ImplicitStep& step, const Start& start, const State& state, const device::CudaVector& x) const;
  CudaGiven given(const ImplicitStep& step, const Start& start, const State& state,
                  std::span<const double> driven) const {
    return {conditions_, step, start, state, driven};
  }
  void move(const Start& start, device::CudaVector x, State& state) const;
  void describe(int step, const State& state, std::span<const double> driven, StepReport& report) const;

 private:
  CudaConditions conditions_;
};

}  // namespace proxima::solve
