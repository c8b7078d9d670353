#include "runtime/adjoint/step_adjoint.hpp"

#include <algorithm>
#include <utility>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contacts.hpp"

namespace proxima::adjoint {
namespace {

constexpr double finest = 1e-13;  // relative residual of a solve with contact to which nothing is to be added

// The sub-steps of a step come one after the other.
void add_once(int step, std::vector<int>& steps) {
  if (steps.empty() || steps.back() != step) steps.push_back(step);
}

}  // namespace

StepAdjoint::StepAdjoint(const solve::Objective& objective, const model::Model& model, const AdjointSettings& settings,
                         Gradient& gradient)
    : objective_(objective),
      model_(model),
      settings_(settings),
      gradient_(gradient),
      solver_(objective, settings),
      z_(3 * objective.nodes()),
      minus_z_(z_.size()) {
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    gradient.regions.push_back(solve::zero_gradient(model.regions[r]));
    by_volume_.emplace_back(objective.nodal_volume(r).nodes.size());
  }
  gradient.forces.resize(model.forces.size());
  for (const auto& force : model.forces) gradient.force_factors.emplace_back(force.factor.size());
  for (auto* by_pair : {&gradient.friction, &gradient.friction_across, &gradient.friction_crossed,
                        &gradient.restitution, &gradient.penalty_stiffness, &gradient.slip_speed})
    by_pair->resize(model.contacts.size());
  gradient.ties.resize(model.ties.size());
  for (const auto& obstacle : model.obstacles) gradient.obstacles.push_back(model::zero_gradient(obstacle));
  gradient.nodal_forces.resize(minus_z_.size());
  for (const auto& load : model.surface_loads) gradient.surface_loads.push_back(model::zero_gradient(load));
  if (settings.motions || settings.rest_shape) {
    motions_ = model::zero_motion_gradient(model);
    by_rest_.resize(minus_z_.size());
  }
  if (settings.rest_shape) objective.require_rest_gradient();
}

void StepAdjoint::operator()(const ForwardStep& step, Bars& at, Bars& earlier, const std::optional<Guess>& guess) {
  const auto& row = *step.start.row;
  const double h = step.start.step;
  const std::size_t size = minus_z_.size();
  objective_.enter_step({step.end, h, step.start.positions, step.before.history, step.driven});

  std::vector<double> b = at.x, previous(size), history(at.q.size());
  if (row.inertia)
    for (std::size_t i = 0; i < size; ++i) b[i] += at.v[i] / h;
  objective_.add_history_pull_back(step.after, at.q, gradient_.regions, b, previous, history,
                                   settings_.rest_shape ? std::span(by_rest_) : std::span<double>());
  solve(step, b, guess);
  const auto& z = z_;
  for (std::size_t i = 0; i < size; ++i) minus_z_[i] = -z[i];

  objective_.add_pull_back(step.after, minus_z_, gradient_.regions);
  objective_.add_carried_pull_back(step.after, minus_z_, previous, history);
  add_mass(step);
  if (settings_.rest_shape) objective_.add_rest_pull_back(step.after, minus_z_, by_rest_);
  std::vector<double> by_start(size), by_speed(size);
  if (contact_)
    contact_->add(z, b, by_start, by_speed, settings_.rest_shape ? std::span(by_rest_) : std::span<double>(),
                  gradient_);
  add_motions(step, b);

  const auto inertia = objective_.inertia();
  const auto mass = objective_.mass();
  for (std::size_t i = 0; i < size; ++i) {
    const double x = (row.inertia ? inertia[i / 3] * z[i] - at.v[i] / h : 0) + previous[i];  // by x* and v*
    const double v = row.inertia ? mass[i / 3] / h * z[i] : 0;
    at.x[i] = row.now * x;
    at.v[i] = row.now * v;
    if (!step.first) continue;
    at.x[i] += earlier.x[i];
    at.v[i] += earlier.v[i];
    earlier.x[i] = row.before * x;
    earlier.v[i] = row.before * v;
  }
  device::add_scaled(at.x, 1, by_start);
  device::add_scaled(at.v, 1, by_speed);
  at.q = std::move(history);
  add_forces(step, at);
}

void StepAdjoint::solve(const ForwardStep& step, std::span<const double> b, const std::optional<Guess>& guess) {
  std::vector<double> free(b.begin(), b.end());
  objective_.clear_held(free);
  if (guess && !guess->left.empty()) device::add_scaled(free, -1, guess->left);
  contact_.reset();
  if (!objective_.contacts().none()) {
    contact_ = step_contacts(objective_, model_, step.end, step.start, step.before, step.after, settings_);
    if (contact_->degenerate()) add_once(step.number, gradient_.kinks);
    if (!contact_->any()) contact_.reset();
  }
  SolveEvidence evidence;
  left_.clear();
  if (contact_) {
    // With a guess as well as rounding lets it, so that nothing is left.
    AdjointSettings settings = settings_;
    if (guess) settings.tolerance = std::min(settings.tolerance, finest);
    evidence = contact_->solve(free, product(step), settings, z_);
  } else {
    evidence = guess ? solver_.correct(step.after, free, guess->z, guess->reduction)
                     : solver_.solve(step.after, free, product(step));
    std::copy(solver_.solution().begin(), solver_.solution().end(), z_.begin());
    if (guess) left_.assign(solver_.residual().begin(), solver_.residual().end());
  }
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

derive::Quantity StepAdjoint::product(const ForwardStep& step) const {
  const auto& row = hessian_row(settings_.hessian);
  if (row.product) return *row.product;
  return blended_product(trust_region_ratio(objective_, model_, step.end, step.start, step.before, step.after));
}

// Mass, its damping and its weight: of each kilogram at node i the residual (x - x* - h v*)/h^2 + alpha (x - x*)/h -
// gravity.
void StepAdjoint::add_mass(const ForwardStep& step) {
  const auto& start = step.start;
  const double h = start.step;
  const auto& z = z_;
  for (std::size_t r = 0; r < by_volume_.size(); ++r) {
    const auto& [nodes, volume] = objective_.nodal_volume(r);
    auto& total = gradient_.regions[r];
    const double density = model_.regions[r].density, damping = model_.regions[r].damping.mass;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      double by_mass = 0, by_damping = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t i = 3 * static_cast<std::size_t>(nodes[k]) + axis;
        double force = -model_.gravity[axis];  // a kilogram
        if (start.row->inertia) {
          const double velocity = (step.after[i] - start.positions[i]) / h;
          force += (velocity - start.velocities[i]) / h + damping * velocity;
          by_damping += z[i] * velocity;
        }
        by_mass += z[i] * force;
        gradient_.gravity[axis] += density * volume[k] * z[i];
      }
      total.density -= volume[k] * by_mass;
      total.mass_damping -= density * volume[k] * by_damping;
      by_volume_[r][k] -= density * by_mass;
    }
  }
}

void StepAdjoint::add_forces(const ForwardStep& step, Bars& before) {
  const auto& z = z_;
  for (std::size_t f = 0; f < model_.forces.size(); ++f) {
    const auto& force = model_.forces[f];
    if (!model::acts(force, step.end, model_.time_step)) continue;
    model::Vector3 total{};  // z of its nodes
    for (std::size_t k = 0; k < force.nodes.size(); ++k)
      for (std::size_t i = 0; i < 3; ++i)
        total[i] += model::share_of(force, k) * z[3 * static_cast<std::size_t>(force.nodes[k]) + i];
    for (std::size_t i = 0; i < 3; ++i) gradient_.forces[f][i] += model::factor_at(force, step.end) * total[i];
    if (!force.factor.empty())
      model::add_signal_pull_back(force.factor, step.end, mesh::dot(total, force.force), gradient_.force_factors[f]);
  }
  for (std::size_t i = 0; i < z.size(); ++i) gradient_.nodal_forces[i] += z[i];
  for (std::size_t l = 0; l < model_.surface_loads.size(); ++l)
    model::add_force_pull_back(model_.surface_loads[l], step.end, step.before.positions, step.before.velocities, z,
                               before.x, before.v, gradient_.surface_loads[l]);
}

void StepAdjoint::add_motions(const ForwardStep& step, std::span<const double> by_x) {
  if (!settings_.motions && !settings_.rest_shape) return;
  std::vector<double> bars(by_x.begin(), by_x.end());
  objective_.add_full_hessian_vector(step.after, minus_z_, bars);
  model::add_dirichlet_pull_back(model_, step.end, bars, motions_, by_rest_);
}

std::vector<double> StepAdjoint::take_driven() {
  std::vector<double> result;
  for (const auto& drive : objective_.controls().drives()) {
    double& bar = gradient_.regions[drive.region].driven[drive.parameter];
    result.push_back(std::exchange(bar, 0.0));
  }
  return result;
}

void StepAdjoint::start(Bars& at) {
  if (settings_.motions || settings_.rest_shape) model::add_dirichlet_pull_back(model_, 0, at.x, motions_, by_rest_);
  objective_.clear_held(at.x);
  objective_.clear_held(at.v);
  gradient_.positions = std::move(at.x);
  gradient_.velocities = std::move(at.v);
  gradient_.history = std::move(at.q);
}

void StepAdjoint::finish() {
  for (auto* steps : {&gradient_.negative_curvature, &gradient_.filtered, &gradient_.kinks})
    std::reverse(steps->begin(), steps->end());
  if (settings_.motions) gradient_.motions = std::move(motions_);
  if (!settings_.rest_shape) return;
  objective_.add_volume_pull_back(by_volume_, by_rest_);
  gradient_.rest = std::move(by_rest_);
}

}  // namespace proxima::adjoint
