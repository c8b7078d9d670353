#include "runtime/adjoint/adjoint.hpp"

#include <algorithm>
#include <chrono>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/error_estimate.hpp"
#include "runtime/adjoint/loss_sweep.hpp"
#include "runtime/adjoint/touching_adjoint.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::adjoint {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void check_reach(const Loss& loss, int frames) {
  if (loss.last_frame() > frames)
    fail("the loss looks at frame {}, the rollout ends at frame {}", loss.last_frame(), frames);
}

template <class Place>
Gradient swept(const solve::Objective& objective, const model::Model& model, const solve::StepSettings& step_settings,
               const AdjointSettings& settings, const Loss& loss, Tape& tape, const BackwardCallback& each) {
  const int steps = tape.steps();
  Gradient result;
  const auto adjoint = make_step_adjoint<Place>(objective, model, settings, result);
  Place& place = adjoint->place();
  std::optional<ErrorEstimate<Place>> errors;
  if (settings.estimate_errors) errors.emplace(objective, model, step_settings, settings, loss, tape);
  auto at = place.zero_bars(), earlier = place.zero_bars();
  LossSweep losses(loss);
  const auto add_frame = [&](int frame, const solve::State& state, const solve::State* before) {
    place.add_by_rule(at.x, at.v, [&](std::span<double> by_x, std::span<double> by_v) {
      result.loss += losses.frame(frame, state, before, by_x, by_v);
    });
    if (errors) errors->frame(frame, state, before);
  };
  auto force = place.system().vector();  // by the nodal force in the step, of all its sub-steps
  const auto take = [&](const ForwardStep<Place>& step) {
    (*adjoint)(step, at, earlier);
    if (errors) errors->step(step, adjoint->force());
    if (each) device::add_scaled(force, 1, adjoint->force());
  };
  auto there = place.placed(tape.state(steps));  // the state after the step at hand
  for (int step = steps - 1; step >= 0; --step) {
    device::set_zero(force);
    const solve::State& after = tape.state(step + 1);
    const bool whole = after.substeps == 1;
    const auto touching = after.touching;  // the tape may let go of the state before this is looked at
    const solve::State& before = tape.state(step);
    add_frame(step + 1, after, &before);
    const auto before_there = place.placed(before);
    if constexpr (Place::streams)
      if (step > 0) place.send(tape.state(step - 1));  // that after it is there, and no longer asked for here
    const auto driven = objective.controls().values(step, before);
    const auto name = fmt::format("step {}", step + 1);
    if (whole) {
      take({step + 1, name, (step + 1) * model.time_step, before, *before_there,
            solve::step_start(model, *before_there), there->positions, driven, touching});
    } else {
      const auto parts = solve::retrace(objective, model, step, step_settings, before);
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        const auto start = place.placed(part->before);
        const auto end = place.placed(std::span<const double>(part->after));
        take({step + 1, fmt::format("{}, its sub-step to t = {:.6g} s", name, part->end), part->end, part->before,
              *start, solve::step_start(part->integrator, part->length, *start), end, driven, part->touching,
              part + 1 == parts.rend()});
      }
    }
    if (!objective.controls().drives().empty())
      place.add_by(Rule::controller, at.x, at.v, [&](std::span<double> by_x, std::span<double> by_v) {
        objective.controls().pull_back(step, before, adjoint->take_driven(), by_x, by_v, result.controllers);
      });
    if (errors) errors->controls(step, before);
    if (each) each({steps - step, step, place.on_host(force)});
    there = before_there;
  }
  add_frame(0, tape.state(0), nullptr);
  adjoint->start(at);
  adjoint->finish();
  if (errors) result.errors = errors->finish(result);
  return result;
}

}  // namespace

double total_loss(const Loss& loss, const std::vector<solve::State>& states) {
  check_reach(loss, static_cast<int>(states.size()) - 1);
  double total = 0;
  for (std::size_t k = 0; k < states.size(); ++k) {
    total += loss.frame(static_cast<int>(k), states[k].positions, states[k].velocities, {}, {});
    if (k > 0) total += loss.between(static_cast<int>(k), states[k - 1].positions, states[k].positions, {}, {});
  }
  return total;
}

Gradient backward(const solve::Objective& objective, const model::Model& model,
                  const solve::StepSettings& step_settings, const AdjointSettings& settings, const Loss& loss,
                  Tape& tape, const BackwardCallback& each) {
  const auto begin = std::chrono::steady_clock::now();
  check_reach(loss, tape.steps());
  const auto sweep = objective.gpu() == nullptr ? swept<HostSweep> : swept<CudaSweep>;
  Gradient result = sweep(objective, model, step_settings, settings, loss, tape, each);
  result.advances = tape.advances();
  result.peak_bytes = tape.peak_bytes();
  result.seconds_backward = seconds_since(begin);
  return result;
}

Gradient rollout_gradient(const solve::Objective& objective, const model::Model& model,
                          const solve::StepSettings& step_settings, const AdjointSettings& settings, const Loss& loss,
                          const solve::State& start, const BackwardCallback& each) {
  const auto begin = std::chrono::steady_clock::now();
  int a_solves = 0;
  double residual = 0;
  Tape tape(objective, model, step_settings, settings.checkpoints, start,
            [&](int, const solve::State&, const solve::StepReport& report) {
              a_solves += report.a_solves;
              residual = std::max(residual, report.residual);
            });
  const double forward = seconds_since(begin);
  Gradient result = backward(objective, model, step_settings, settings, loss, tape, each);
  result.seconds_forward = forward;
  result.a_solves_forward = a_solves;
  result.worst_step_residual = residual;
  return result;
}

}  // namespace proxima::adjoint
