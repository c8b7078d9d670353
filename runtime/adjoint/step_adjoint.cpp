#include "runtime/adjoint/step_adjoint.hpp"

#include <algorithm>
#include <utility>

#include "compiler/support/error.hpp"
#include "runtime/adjoint/cuda_sweep.hpp"
#include "runtime/adjoint/filter.hpp"
#include "runtime/adjoint/host_sweep.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::adjoint {

void add_once(int step, std::vector<int>& steps) {
  if (steps.empty() || steps.back() != step) steps.push_back(step);
}

template <class Place>
StepAdjoint<Place>::StepAdjoint(const solve::Objective& objective, const model::Model& model,
                                const AdjointSettings& settings, Gradient& gradient)
    : objective_(objective),
      model_(model),
      settings_(settings),
      gradient_(gradient),
      place_(objective, model),
      solver_(place_.system(), settings),
      z_(place_.system().vector()),
      minus_z_(place_.system().vector()),
      nodal_forces_(place_.system().vector()),
      by_rest_(place_.system().vector()) {
  for (const auto& region : model.regions) gradient.regions.push_back(solve::zero_gradient(region));
  gradient.forces.resize(model.forces.size());
  for (const auto& force : model.forces) gradient.force_factors.emplace_back(force.factor.size());
  for (auto* by_pair : {&gradient.friction, &gradient.friction_across, &gradient.friction_crossed,
                        &gradient.restitution, &gradient.penalty_stiffness, &gradient.slip_speed})
    by_pair->resize(model.contacts.size());
  gradient.ties.resize(model.ties.size());
  for (const auto& obstacle : model.obstacles) gradient.obstacles.push_back(model::zero_gradient(obstacle));
  for (const auto& load : model.surface_loads) gradient.surface_loads.push_back(model::zero_gradient(load));
  if (wants_motions()) motions_ = model::zero_motion_gradient(model);
  if (settings.rest_shape) objective.require_rest_gradient();
}

template <class Place>
void StepAdjoint<Place>::operator()(const Step& step, Bars<Place>& at, Bars<Place>& earlier,
                                    const std::optional<Guess<Place>>& guess) {
  place_.enter(step);
  Vector b = device::like(at.x), previous = device::like(at.x);
  auto history = place_.zero_history();
  device::copy(at.x, b);
  if (step.start.row->inertia) place_.add_quotient(at.v, step.start.step, b);
  place_.add_history_pull_back(step.after, at.q, gradient_.regions, b, previous, history, by_rest());
  solve(step, b, guess);
  device::copy(z_, minus_z_);
  device::negate(minus_z_);

  place_.add_pull_back(step.after, minus_z_, gradient_.regions);
  place_.system().add_carried_pull_back(step.after, minus_z_, previous, history);
  place_.add_mass(step, z_, gradient_.regions, gradient_.gravity);
  if (settings_.rest_shape) place_.add_rest_pull_back(step.after, minus_z_, by_rest_);
  const std::optional<Passed> by_contacts = add_contacts(b);
  add_motions(step, b);

  place_.pass_back(step, z_, previous, at, earlier);
  if (by_contacts) {
    device::add_scaled(at.x, 1, by_contacts->x);
    device::add_scaled(at.v, 1, by_contacts->v);
  }
  at.q = std::move(history);
  add_forces(step, at);
}

template <class Place>
void StepAdjoint<Place>::solve(const Step& step, const Vector& b, const std::optional<Guess<Place>>& guess) {
  Vector free = device::like(b);
  device::copy(b, free);
  place_.clear_held(free);
  if (guess && guess->left != nullptr) device::add_scaled(free, -1, *guess->left);
  has_left_ = false;
  const SolveEvidence evidence = find(step, free, guess);
  if (!evidence.solved)
    fail(
        "adjoint of {}: the linear solve stands at a relative residual of {:.3g} after {} iterations, {:.3g} is "
        "wanted",
        step.name, evidence.residual, evidence.a_solves, settings_.tolerance);
  gradient_.a_solves += evidence.a_solves;
  gradient_.worst_residual = std::max(gradient_.worst_residual, evidence.residual);
  if (evidence.negative_curvature) add_once(step.number, gradient_.negative_curvature);
  if (evidence.filtered) add_once(step.number, gradient_.filtered);
  gradient_.worst_exact_residual = std::max(gradient_.worst_exact_residual, evidence.exact_residual);
}

template <class Place>
SolveEvidence StepAdjoint<Place>::find(const Step& step, const Vector& b, const std::optional<Guess<Place>>& guess) {
  const SolveEvidence evidence =
      guess ? solver_.correct(step.after, b, guess->z, guess->reduction) : solver_.solve(step.after, b, product(step));
  device::copy(solver_.solution(), z_);
  has_left_ = guess.has_value();
  return evidence;
}

template <class Place>
derive::Quantity StepAdjoint<Place>::product(const Step& step) const {
  const auto& row = hessian_row(settings_.hessian);
  return row.product ? *row.product : blended_product(trust_region_ratio(place_.potential(step), step.after));
}

template <class Place>
void StepAdjoint<Place>::add_forces(const Step& step, Bars<Place>& before) {
  for (std::size_t f = 0; f < model_.forces.size(); ++f) {
    const auto& force = model_.forces[f];
    if (!model::acts(force, step.end, model_.time_step)) continue;
    const model::Vector3 total = place_.sum_over_force(f, z_);
    for (std::size_t i = 0; i < 3; ++i) gradient_.forces[f][i] += model::factor_at(force, step.end) * total[i];
    if (!force.factor.empty())
      model::add_signal_pull_back(force.factor, step.end, mesh::dot(total, force.force), gradient_.force_factors[f]);
  }
  device::add_scaled(nodal_forces_, 1, z_);
  if (model_.surface_loads.empty()) return;
  const auto z = place_.seen_by(Rule::load, z_);
  place_.add_by(Rule::load, before.x, before.v, [&](std::span<double> by_x, std::span<double> by_v) {
    for (std::size_t l = 0; l < model_.surface_loads.size(); ++l)
      model::add_force_pull_back(model_.surface_loads[l], step.end, step.before.positions, step.before.velocities, z,
                                 by_x, by_v, gradient_.surface_loads[l]);
  });
}

template <class Place>
void StepAdjoint<Place>::add_motions(const Step& step, const Vector& by_x) {
  if (!wants_motions()) return;
  Vector bars = device::like(by_x);
  device::copy(by_x, bars);
  place_.system().add_full_hessian_vector(step.after, minus_z_, bars);
  place_.add_held(step.end, bars, motions_, by_rest_);
}

template <class Place>
std::vector<double> StepAdjoint<Place>::take_driven() {
  std::vector<double> result;
  for (const auto& drive : objective_.controls().drives()) {
    double& bar = gradient_.regions[drive.region].driven[drive.parameter];
    result.push_back(std::exchange(bar, 0.0));
  }
  return result;
}

template <class Place>
void StepAdjoint<Place>::start(Bars<Place>& at) {
  if (wants_motions()) place_.add_held(0, at.x, motions_, by_rest_);
  place_.clear_held(at.x);
  place_.clear_held(at.v);
  gradient_.positions = place_.given_up(std::move(at.x));
  gradient_.velocities = place_.given_up(std::move(at.v));
  gradient_.history = place_.given_up(std::move(at.q));
}

template <class Place>
void StepAdjoint<Place>::finish() {
  for (auto* steps : {&gradient_.negative_curvature, &gradient_.filtered, &gradient_.kinks})
    std::reverse(steps->begin(), steps->end());
  place_.finish(gradient_.regions);
  gradient_.nodal_forces = place_.given_up(std::move(nodal_forces_));
  if (settings_.motions) gradient_.motions = std::move(motions_);
  if (settings_.rest_shape) gradient_.rest = place_.by_rest(std::move(by_rest_));
}

template class StepAdjoint<HostSweep>;
template class StepAdjoint<CudaSweep>;

}  // namespace proxima::adjoint
