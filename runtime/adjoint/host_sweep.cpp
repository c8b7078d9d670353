#include "runtime/adjoint/host_sweep.hpp"

#include "runtime/solve/step/implicit_step.hpp"

namespace proxima::adjoint {

HostSweep::HostSweep(const solve::Objective& objective, const model::Model& model)
    : objective_(objective), model_(model) {
  for (std::size_t r = 0; r < model.regions.size(); ++r)
    by_volume_.emplace_back(objective.nodal_volume(r).nodes.size());
}

std::vector<double> HostSweep::zero_history() const {
  return std::vector<double>(model::initial_history(model_).size());
}

std::shared_ptr<const solve::State> HostSweep::placed(const solve::State& state) const {
  return {std::shared_ptr<const solve::State>(), &state};
}

void HostSweep::enter(const Step& step) const {
  objective_.enter_step({step.end, step.start.step, step.start.positions, step.before.history, step.driven});
}

void HostSweep::add_quotient(const Vector& v, double divisor, Vector& y) const {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += v[i] / divisor;
}

void HostSweep::add_history_pull_back(In x, const History& bars, std::vector<solve::RegionGradient>& total, Vector& y,
                                      Vector& previous, History& history, Vector* rest_shape) const {
  objective_.add_history_pull_back(x, bars, total, y, previous, history,
                                   rest_shape != nullptr ? std::span(*rest_shape) : std::span<double>());
}

// Of each kilogram at node i the residual (x - x* - h v*)/h^2 + alpha (x - x*)/h - gravity.
void HostSweep::add_mass(const Step& step, const Vector& z, std::vector<solve::RegionGradient>& total,
                         model::Vector3& gravity) {
  const auto& start = step.start;
  const double h = start.step;
  for (std::size_t r = 0; r < by_volume_.size(); ++r) {
    const auto& [nodes, volume] = objective_.nodal_volume(r);
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
        gravity[axis] += density * volume[k] * z[i];
      }
      total[r].density -= volume[k] * by_mass;
      total[r].mass_damping -= density * volume[k] * by_damping;
      by_volume_[r][k] -= density * by_mass;
    }
  }
}

model::Vector3 HostSweep::sum_over_force(std::size_t number, const Vector& z) const {
  const auto& force = model_.forces[number];
  model::Vector3 total{};
  for (std::size_t k = 0; k < force.nodes.size(); ++k)
    for (std::size_t i = 0; i < 3; ++i)
      total[i] += model::share_of(force, k) * z[3 * static_cast<std::size_t>(force.nodes[k]) + i];
  return total;
}

void HostSweep::add_held(double time, const Vector& bars, std::vector<model::MotionGradient>& motions,
                         Vector& by_rest) const {
  model::add_dirichlet_pull_back(model_, time, bars, motions, by_rest);
}

void HostSweep::pass_back(const Step& step, const Vector& z, const Vector& previous, Bars<HostSweep>& at,
                          Bars<HostSweep>& earlier) const {
  const auto& row = *step.start.row;
  const double h = step.start.step;
  const auto inertia = objective_.inertia();
  const auto mass = objective_.mass();
  for (std::size_t i = 0; i < z.size(); ++i) {
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
}

solve::Potential HostSweep::potential(const Step& step) const {
  return {objective_, step.start.positions, solve::given_force(objective_, model_, step.end, step.start, step.before)};
}

std::vector<double> HostSweep::by_rest(Vector summed) const {
  objective_.add_volume_pull_back(by_volume_, summed);
  return summed;
}

}  // namespace proxima::adjoint
