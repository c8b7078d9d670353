#include "runtime/adjoint/error_estimate.hpp"

#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/state_correction.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::adjoint {
namespace {

AdjointSettings exact(AdjointSettings settings) {
  settings.hessian = HessianChoice::exact;
  return settings;
}

struct Part {
  std::string name;
  std::vector<double> values;
};

std::vector<double> flat(const std::vector<model::Vector3>& vectors) {
  std::vector<double> result;
  result.reserve(3 * vectors.size());
  for (const auto& vector : vectors) result.insert(result.end(), vector.begin(), vector.end());
  return result;
}

std::vector<Part> parts_of(const model::Model& model, const Gradient& gradient) {
  std::vector<Part> parts = {{"initial positions", gradient.positions},
                             {"initial velocities", gradient.velocities},
                             {"history", gradient.history},
                             {"gravity", {gradient.gravity.begin(), gradient.gravity.end()}},
                             {"forces", flat(gradient.forces)},
                             {"nodal forces", gradient.nodal_forces},
                             {"rest positions", gradient.rest}};
  for (std::size_t f = 0; f < gradient.force_factors.size(); ++f)
    parts.push_back({fmt::format("factor of force {}", f), gradient.force_factors[f]});
  for (std::size_t r = 0; r < gradient.regions.size(); ++r) {
    const auto& region = gradient.regions[r];
    const auto& name = model.regions[r].name;
    const auto& declared = model.regions[r].energy->parameters;
    for (std::size_t k = 0; k < declared.size(); ++k) {
      parts.push_back({fmt::format("{} of '{}'", declared[k].name, name), region.parameters[k]});
      parts.push_back({fmt::format("keys of {} of '{}'", declared[k].name, name), region.signals[k]});
    }
    for (const auto& field : region.directions) parts.push_back({fmt::format("directions of '{}'", name), flat(field)});
    parts.push_back({fmt::format("density of '{}'", name), {region.density}});
    parts.push_back({fmt::format("mass damping of '{}'", name), {region.mass_damping}});
    parts.push_back({fmt::format("stiffness damping of '{}'", name), region.stiffness_damping});
  }
  for (std::size_t l = 0; l < gradient.surface_loads.size(); ++l) {
    const auto& load = gradient.surface_loads[l];
    const auto name = fmt::format("surface load {}", l);
    parts.push_back({"pressure of " + name, load.pressure});
    parts.push_back({"density of " + name, {load.density}});
    parts.push_back({"flow of " + name, {load.flow.begin(), load.flow.end()}});
    parts.push_back({"drag of " + name, load.drag});
    parts.push_back({"thrust of " + name, load.thrust});
  }
  for (std::size_t c = 0; c < gradient.controllers.size(); ++c)
    for (const auto& parameter : gradient.controllers[c])
      parts.push_back({fmt::format("parameters of controller {}", c), parameter});
  const auto add_motion = [&](std::string name, const std::vector<model::KeyFrame>& motion) {
    std::vector<model::Vector3> keys;
    for (const auto& key : motion) keys.insert(keys.end(), {key.translation, key.rotation});
    parts.push_back({std::move(name), flat(keys)});
  };
  for (std::size_t p = 0; p < model.contacts.size(); ++p) {
    const auto names = model::pair_names(model, model.contacts[p]);
    const auto add = [&](const char* of, const std::vector<double>& by_pair) {
      parts.push_back({fmt::format("{} between '{}' and '{}'", of, names[0], names[1]), {by_pair[p]}});
    };
    add("friction", gradient.friction);
    add("friction across", gradient.friction_across);
    add("friction crossed", gradient.friction_crossed);
    add("restitution", gradient.restitution);
    add("penalty stiffness", gradient.penalty_stiffness);
    add("slip speed", gradient.slip_speed);
  }
  for (std::size_t o = 0; o < model.obstacles.size(); ++o) {
    add_motion(fmt::format("obstacle '{}'", model.obstacles[o].name), gradient.obstacles[o].motion);
    for (const auto& parameter : gradient.obstacles[o].parameters)
      parts.push_back({fmt::format("shape of obstacle '{}'", model.obstacles[o].name), parameter});
  }
  for (std::size_t t = 0; t < model.ties.size(); ++t)
    parts.push_back({fmt::format("tie '{}'", model.ties[t].name), flat({gradient.ties[t]})});
  for (std::size_t m = 0; m < gradient.motions.size(); ++m)
    add_motion(fmt::format("motion {}", m), gradient.motions[m].motion);
  return parts;
}

}  // namespace

PartError largest_difference(const model::Model& model, const Gradient& a, const Gradient& b) {
  const auto found = parts_of(model, a), expected = parts_of(model, b);
  PartError result;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    auto difference = found[k].values;
    device::add_scaled(difference, -1, expected[k].values);
    const double size = device::norm(expected[k].values), error = device::norm(difference);
    if (size == 0 || error <= result.relative * size) continue;
    result = {error / size, expected[k].name};
  }
  return result;
}

template <class Place>
ErrorEstimate<Place>::Corrected::Corrected(const solve::Objective& objective, const model::Model& model,
                                           const AdjointSettings& settings, const Loss& loss)
    : adjoint(make_step_adjoint<Place>(objective, model, settings, gradient)),
      at(adjoint->place().zero_bars()),
      earlier(adjoint->place().zero_bars()),
      losses(loss) {}

template <class Place>
void ErrorEstimate<Place>::Corrected::frame(int frame, const solve::State& state, const solve::State* before) {
  adjoint->place().add_by_rule(at.x, at.v, [&](std::span<double> by_x, std::span<double> by_v) {
    gradient.loss += losses.frame(frame, state, before, by_x, by_v);
  });
}

template <class Place>
void ErrorEstimate<Place>::Corrected::controls(const solve::Controls& controls, int step, const solve::State& before) {
  if (controls.drives().empty()) return;
  adjoint->place().add_by(Rule::controller, at.x, at.v, [&](std::span<double> by_x, std::span<double> by_v) {
    controls.pull_back(step, before, adjoint->take_driven(), by_x, by_v, gradient.controllers);
  });
}

template <class Place>
ErrorEstimate<Place>::ErrorEstimate(const solve::Objective& objective, const model::Model& model,
                                    const solve::StepSettings& step_settings, const AdjointSettings& settings,
                                    const Loss& loss, Tape& tape)
    : objective_(objective),
      model_(model),
      states_{tape.state(0)},
      frames_{0},
      linear_(objective, model, exact(settings), loss),
      both_(objective, model, exact(settings), loss) {
  StateCorrection correct(Place::stepping(objective, model), step_settings, settings);
  for (int step = 0; step < tape.steps(); ++step) {
    const solve::State whole = states_.back();
    const auto& driven = driven_.emplace_back(objective.controls().values(step, whole));
    const solve::State &before = tape.state(step), &after = tape.state(step + 1);
    std::vector<solve::SubStep> parts;
    if (after.substeps == 1)
      parts.push_back({solve::step_start(model, before).row->integrator, (step + 1) * model.time_step, model.time_step,
                       before, after.positions, after.touching});
    else
      parts = solve::retrace(objective, model, step, step_settings, before);
    for (const auto& part : parts) states_.push_back(correct(part, states_.back(), driven));
    frames_.push_back(states_.size() - 1);
    if (model::integrator_row(model.integrator).before == 0) continue;
    states_.back().previous_positions = whole.positions;
    states_.back().previous_velocities = whole.velocities;
  }
  at_ = states_.size() - 1;
}

template <class Place>
void ErrorEstimate<Place>::controls(int step, const solve::State& before) {
  linear_.controls(objective_.controls(), step, before);
  both_.controls(objective_.controls(), step, states_[at_]);
}

template <class Place>
void ErrorEstimate<Place>::frame(int frame, const solve::State& state, const solve::State* before) {
  linear_.frame(frame, state, before);
  both_.frame(frame, states_[at_],
              before == nullptr ? nullptr : &states_[frames_[static_cast<std::size_t>(frame) - 1]]);
}

template <class Place>
void ErrorEstimate<Place>::step(const ForwardStep<Place>& step, const typename Place::Vector& z) {
  (*linear_.adjoint)(step, linear_.at, linear_.earlier, Guess<Place>{z, nullptr, reduction});
  const auto& row = *step.start.row;
  auto& place = both_.adjoint->place();
  const solve::State &before = states_[at_ - 1], &after = states_[at_];
  const auto there = place.placed(before);
  const auto end = place.placed(std::span<const double>(after.positions));
  ForwardStep<Place> corrected{step.number,   step.name,
                               step.end,      before,
                               *there,        solve::step_start(row.integrator, step.start.step / row.share, *there),
                               end,           driven_[static_cast<std::size_t>(step.number) - 1],
                               step.touching, step.first};
  corrected.start.step = step.start.step;
  // The residual that the first left stays in the second: what differs is due to the states alone.
  (*both_.adjoint)(corrected, both_.at, both_.earlier,
                   Guess<Place>{linear_.adjoint->force(), linear_.adjoint->residual(), reduction});
  --at_;
}

template <class Place>
ErrorEvidence ErrorEstimate<Place>::finish(const Gradient& found) {
  for (Corrected* corrected : {&linear_, &both_}) {
    corrected->adjoint->start(corrected->at);
    corrected->adjoint->finish();
  }
  const double loss = both_.gradient.loss;
  return {loss == 0 ? 0 : std::abs(found.loss - loss) / std::abs(loss),
          largest_difference(model_, found, linear_.gradient),
          largest_difference(model_, linear_.gradient, both_.gradient)};
}

template class ErrorEstimate<HostSweep>;
template class ErrorEstimate<CudaSweep>;

}  // namespace proxima::adjoint
