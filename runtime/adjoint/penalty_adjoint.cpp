#include "runtime/adjoint/penalty_adjoint.hpp"

#include <algorithm>

#include "runtime/adjoint/gmres_solve.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contacts.hpp"
#include "runtime/solve/implicit_step.hpp"

namespace proxima::adjoint {
PenaltyAdjoint::PenaltyAdjoint(const solve::Objective& objective, const model::Model& model, double end,
                               const solve::StepStart& start, const solve::State& before, std::span<const double> after)
    : objective_(objective),
      potential_(objective, start.positions, solve::given_force(objective, model, end, start, before)),
      equations_(potential_, {end - start.step / start.row->share, end, before.positions}, before.velocities) {
  equations_.contacts().add_near(after);
  point_ = equations_.evaluate({after.begin(), after.end()});
}

bool PenaltyAdjoint::any() const {
  return std::any_of(point_.at.begin(), point_.at.end(), [](const auto& at) { return at.gap < 0; });
}

std::vector<PenaltyAdjoint::ByLaw> PenaltyAdjoint::pull_back(std::span<const double> z, std::span<double> by_x,
                                                             std::span<double> by_start,
                                                             std::span<model::ObstacleGradient> by_obstacles,
                                                             std::span<double> by_rest) const {
  const auto& contacts = equations_.contacts();
  const auto keys = contacts.keys();
  const auto moved = solve::relative(keys, point_.at, z);
  std::vector<ByLaw> result;
  std::vector<contact::Geometry> bars;
  result.reserve(keys.size());
  bars.reserve(keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c) {
    const auto& at = point_.at[c];
    const auto law = equations_.law(at, c);
    const auto by = contact::penalty_pull_back(law, at, mesh::vector_at(moved, c));
    auto& bar = bars.emplace_back(by.geometry);
    result.push_back({contacts.cone_pull_back(c, at, by.cone, bar), by.stiffness, by.relaxed});
    const auto force = contact::penalty_force(law, at);
    for (std::size_t k = 0; k < keys[c].nodes.size(); ++k)
      if (keys[c].nodes[k] >= 0)
        bar.weights[k] = force.pressed * mesh::dot(force.direction, mesh::vector_at(z, keys[c].nodes[k]));
  }
  const auto& detection = objective_.contacts().detection();
  detection.pull_back(contacts.step(), keys, point_.x, bars, by_x, by_start, by_obstacles);
  if (!by_rest.empty()) detection.pull_back_rest(contacts.step(), keys, point_.x, bars, by_rest);
  return result;
}

SolveEvidence PenaltyAdjoint::solve(std::span<const double> b, derive::Quantity product,
                                    const AdjointSettings& settings, std::span<double> z) {
  std::vector<solve::PenaltyCoupling::Block> blocks(point_.at.size());
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    const auto rows = contact::penalty_derivative(equations_.law(point_.at[c], c), point_.at[c]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) blocks[c][i][j] = -rows[j][i];
  }
  const auto metric = equations_.contacts().metric(point_.at, contact::CondensedStorage::stored);
  const solve::PenaltyCoupling coupling(metric, std::move(blocks));
  if (!coupling.exists()) return {.residual = 1};
  solve::FacePreconditioner preconditioner(objective_.preconditioner(), metric,
                                           [&](auto u, auto forces) { coupling.forces(u, forces); });
  objective_.linearise(point_.x, product);
  std::vector<double> part(b.size());
  std::vector<double> forces(3 * metric.size());
  const contact::LinearOperator op = [&](std::span<const double> v, std::span<double> y) {
    preconditioner.apply(v, part, forces);
    objective_.hessian_product(part, y);
    std::vector<double> by_x(y.size());
    pull_back(part, by_x, {}, {}, {});
    device::add_scaled(y, -1, by_x);
    objective_.clear_held(y);
  };
  std::fill(z.begin(), z.end(), 0.0);
  return solve_by_gmres(op, b, settings, [&] { device::add_scaled(z, 1, part); });
}

void PenaltyAdjoint::add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x,
                         std::span<double>, std::span<double> by_rest, Gradient& gradient) const {
  const auto by = pull_back(z, by_x, before_x, gradient.obstacles, by_rest);
  const auto& contacts = equations_.contacts();
  for (std::size_t c = 0; c < by.size(); ++c) {
    const auto pair = static_cast<std::size_t>(contacts.keys()[c].pair);
    add_friction(by[c].friction, contacts.keys()[c].pair, gradient);
    gradient.penalty_stiffness[pair] += by[c].stiffness;
    gradient.slip_speed[pair] += by[c].relaxed * (contacts.step().end - contacts.step().begin);
  }
}

}  // namespace proxima::adjoint
