// A sweep backward on a GPU, where its vectors stay from step to step, and what it gathers over all steps: states go
// there ahead of their steps; per step numbers come to the host, what held nodes take where it is wanted, and what
// rules of the host look at.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/adjoint/sweep_step.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"
#include "runtime/solve/step/cuda_conditions.hpp"
#include "runtime/solve/step/cuda_place.hpp"
#include "runtime/solve/step/state_upload.hpp"

namespace proxima::adjoint {

// As HostSweep.
class CudaSweep {
 public:
  using System = solve::CudaObjective;
  using Vector = System::Vector;
  using In = System::In;
  using Out = System::Out;
  using Potential = solve::CudaPotential;
  using History = solve::CudaHistory;
  using State = solve::CudaState;
  using Start = solve::CudaStepStart;
  using Step = ForwardStep<CudaSweep>;

  // Of an objective that uses a GPU.
  CudaSweep(const solve::Objective& objective, const model::Model& model);

  const System& system() const { return objective_; }
  static solve::CudaPlace stepping(const solve::Objective& objective, const model::Model& model) {
    return {*objective.gpu(), model};
  }
  const solve::Objective& host() const { return objective_.host(); }
  Potential potential(const Step& step) const;
  History zero_history() const { return objective_.zero_history(); }
  Bars<CudaSweep> zero_bars() const { return {objective_.vector(), objective_.vector(), zero_history()}; }
  // One that was sent is there already, or soon is.
  std::shared_ptr<const State> placed(const solve::State& state);
  static constexpr bool streams = true;
  // The state that is placed next but for the parts of a halved step, ahead of that; it must stay where it is.
  void send(const solve::State& state);
  Vector placed(std::span<const double> vector) const { return objective_.uploaded(vector); }
  std::vector<double> on_host(In vector) const;
  std::vector<double> given_up(const Vector& vector) const { return on_host(vector); }
  std::vector<double> given_up(const History& history) const { return objective_.values_of(history); }
  // Only what it adds goes over.
  template <class Add>
  void add_by_rule(Vector& x, Vector& v, const Add& add) const {
    std::vector<double> by_x(x.size()), by_v(v.size());
    add(std::span<double>(by_x), std::span<double>(by_v));
    add_where_any(by_x, x);
    add_where_any(by_v, v);
  }
  // Only a rule's own nodes go over.
  template <class Add>
  void add_by(Rule rule, Vector& x, Vector& v, const Add& add) const {
    solve::CudaWatchedNodes& nodes = nodes_of(rule);
    nodes.add(x, [&](std::span<double> by_x) { nodes.add(v, [&](std::span<double> by_v) { add(by_x, by_v); }); });
  }
  solve::SeenVector seen_by(Rule rule, In vector) const { return nodes_of(rule).seen(vector); }

  void enter(const Step& step) const;
  void clear_held(Vector& y) const { conditions_.clear_held(y); }
  void add_quotient(const Vector& v, double divisor, Vector& y) const { device::add_scaled(y, 1 / divisor, v); }
  void add_pull_back(In x, In direction, std::vector<solve::RegionGradient>& total) {
    objective_.add_pull_back(x, direction, total, items_);
  }
  void add_rest_pull_back(In x, In direction, Vector& y);
  void add_history_pull_back(In x, const History& bars, std::vector<solve::RegionGradient>& total, Vector& y,
                             Vector& previous, History& history, Vector* rest_shape) {
    objective_.add_history_pull_back(x, bars, total, items_, y, previous, history, rest_shape);
  }
  void add_mass(const Step& step, const Vector& z, std::vector<solve::RegionGradient>& total, model::Vector3& gravity);
  model::Vector3 sum_over_force(std::size_t force, const Vector& z) const {
    return conditions_.sum_over_force(force, z);
  }
  void add_held(double time, const Vector& bars, std::vector<model::MotionGradient>& motions, Vector& by_rest);
  void pass_back(const Step& step, const Vector& z, const Vector& previous, Bars<CudaSweep>& at,
                 Bars<CudaSweep>& earlier) const;

  void finish(std::vector<solve::RegionGradient>& total) const { objective_.add(items_, total); }
  std::vector<double> by_rest(const Vector& summed) const;

 private:
  // Of a region with mass.
  struct Volume {
    device::CudaArray nodes{}, volume{};
    device::CudaVector by_volume;
  };
  solve::CudaWatchedNodes& nodes_of(Rule rule) const;
  void add_where_any(std::span<const double> values, Vector& to) const;

  solve::CudaObjective& objective_;
  solve::CudaConditions conditions_;
  solve::StateUpload upload_;
  const solve::State* sent_ = nullptr;  // what is on its way
  device::CudaFunction mass_pull_back_, pass_back_;
  std::vector<Volume> volumes_;
  solve::CudaItemGradient items_;
  std::optional<device::CudaVector> rest_;  // positions there, once they are asked for
  std::vector<double> rest_of_held_;        // by those of held nodes through where they are held
};

}  // namespace proxima::adjoint
