// A sweep backward in the host's memory: its vectors, and what it gathers over all steps.
#pragma once

#include <memory>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "runtime/adjoint/sweep_step.hpp"
#include "runtime/model/model.hpp"
#include "runtime/solve/objective/potential.hpp"
#include "runtime/solve/step/host_place.hpp"
#include "runtime/solve/step/step_start.hpp"

namespace proxima::adjoint {

// One for each gradient.
class HostSweep {
 public:
  using System = solve::Objective;
  using Vector = System::Vector;
  using In = System::In;
  using Out = System::Out;
  using Potential = solve::Potential;
  using History = std::vector<double>;
  using State = solve::State;
  using Start = solve::StepStart;
  using Step = ForwardStep<HostSweep>;

  // Keeps references.
  HostSweep(const solve::Objective& objective, const model::Model& model);

  const System& system() const { return objective_; }
  static solve::HostPlace stepping(const solve::Objective& objective, const model::Model& model) {
    return {objective, model};  // forward
  }
  const solve::Objective& host() const { return objective_; }
  Potential potential(const Step& step) const;  // that the step made least
  History zero_history() const;
  Bars<HostSweep> zero_bars() const { return {objective_.vector(), objective_.vector(), zero_history()}; }
  // A state, and a vector, that are on the host and stay there.
  std::shared_ptr<const State> placed(const solve::State& state) const;
  static constexpr bool streams = false;  // whether it is worth while to send states ahead
  In placed(std::span<const double> vector) const { return vector; }
  // To the host; the first is looked at while it stays, the others are given up.
  std::span<const double> on_host(In vector) const { return vector; }
  std::vector<double> given_up(std::vector<double> vector) const { return vector; }
  // Lets add(x, v), which knows the host alone, add to two vectors.
  template <class Add>
  void add_by_rule(Vector& x, Vector& v, const Add& add) const {
    add(std::span<double>(x), std::span<double>(v));
  }
  // The same of a rule that adds to nodes that are known to be its own, and a vector as it sees it.
  template <class Add>
  void add_by(Rule, Vector& x, Vector& v, const Add& add) const {
    add_by_rule(x, v, add);
  }
  In seen_by(Rule, In vector) const { return vector; }

  void enter(const Step& step) const;
  void clear_held(Vector& y) const { objective_.clear_held(y); }
  void add_quotient(const Vector& v, double divisor, Vector& y) const;  // y += v/divisor
  // Of the step entered; as Objective's.
  void add_pull_back(In x, In direction, std::vector<solve::RegionGradient>& total) const {
    objective_.add_pull_back(x, direction, total);
  }
  void add_rest_pull_back(In x, In direction, Vector& y) const { objective_.add_rest_pull_back(x, direction, y); }
  // `rest_shape`: null where that is not wanted; likewise below.
  void add_history_pull_back(In x, const History& bars, std::vector<solve::RegionGradient>& total, Vector& y,
                             Vector& previous, History& history, Vector* rest_shape) const;
  // By mass, its damping and its weight.
  void add_mass(const Step& step, const Vector& z, std::vector<solve::RegionGradient>& total, model::Vector3& gravity);
  // Of the nodes of a force, by their shares of it.
  model::Vector3 sum_over_force(std::size_t force, const Vector& z) const;
  // By where nodes are held at a time.
  void add_held(double time, const Vector& bars, std::vector<model::MotionGradient>& motions, Vector& by_rest) const;
  // From the derivatives by the state after the step to those by the one before it, through x* and v*; `previous`: by
  // x* through elements.
  void pass_back(const Step& step, const Vector& z, const Vector& previous, Bars<HostSweep>& at,
                 Bars<HostSweep>& earlier) const;

  // What was gathered here. By the rest positions: from what was summed outside.
  void finish(std::vector<solve::RegionGradient>&) const {}
  std::vector<double> by_rest(Vector summed) const;

 private:
  const solve::Objective& objective_;
  const model::Model& model_;
  std::vector<std::vector<double>> by_volume_;  // [region][node of its nodal volume]
};

}  // namespace proxima::adjoint
