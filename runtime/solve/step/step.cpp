#include "runtime/solve/step/step.hpp"

#include "runtime/solve/step/advance.hpp"
#include "runtime/solve/step/cuda_place.hpp"
#include "runtime/solve/step/host_place.hpp"

namespace proxima::solve {

StepReport advance(const Objective& objective, const model::Model& model, int step, const StepSettings& settings,
                   State& state) {
  CudaObjective* gpu = objective.gpu();
  if (gpu == nullptr) return advance_at(HostPlace(objective, model), step, settings, state);
  CudaState there = uploaded(*gpu, state);
  const StepReport report = advance_at(CudaPlace(*gpu, model), step, settings, there);
  state = downloaded(*gpu, there);
  return report;
}

std::vector<SubStep> retrace(const Objective& objective, const model::Model& model, int step,
                             const StepSettings& settings, const State& before) {
  if (CudaObjective* gpu = objective.gpu())
    return retrace_at(CudaPlace(*gpu, model), step, settings, uploaded(*gpu, before));
  return retrace_at(HostPlace(objective, model), step, settings, before);
}

}  // namespace proxima::solve
