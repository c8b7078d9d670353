#include "runtime/solve/step/cuda_given.hpp"

#include "runtime/solve/objective/copied.hpp"
#include "runtime/solve/step/step_words.hpp"

namespace proxima::solve {
namespace {

std::vector<double> values_of(const device::CudaVector& x) {
  std::vector<double> result(x.size());
  x.read(result);
  return result;
}

}  // namespace

CudaGiven::CudaGiven(const CudaConditions& conditions, const ImplicitStep& step, const CudaStepStart& start,
                     const CudaState& state, std::span<const double> driven)
    : conditions_(conditions),
      step_(step),
      start_(start),
      state_(state),
      driven_(driven),
      targets_(conditions.held_targets(step.time)),
      potential_(conditions.objective(), copied(start.positions), conditions.given_force(step.time, start, state)) {}

const Objective& CudaGiven::on_host() const {
  const Objective& host = conditions_.objective().host();
  host.enter_step({step_.time, start_.step, values_of(start_.positions),
                   conditions_.objective().values_of(state_.history), driven_});
  return host;
}

std::string CudaGiven::describe_outside(const ElasticEnergy&, const device::CudaVector& x) const {
  const std::vector<double> there = values_of(x);
  const Objective& host = on_host();
  return solve::describe_outside(host, host.elastic_energy(there), there);
}

std::string CudaGiven::describe_infinite(const device::CudaVector& x) const {
  return solve::describe_infinite(on_host(), values_of(x));
}

std::string CudaGiven::describe_compressed(const device::CudaVector& x) const {
  return solve::describe_compressed(on_host(), values_of(x));
}

}  // namespace proxima::solve
