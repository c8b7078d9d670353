#include "runtime/adjoint/penalty_adjoint.hpp"

#include <algorithm>

#include "runtime/adjoint/gmres_solve.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/solve/contact/contact_operator.hpp"
#include "runtime/solve/contact/penalty_forces.hpp"
#include "runtime/solve/objective/contacts.hpp"

namespace proxima::adjoint {

template <class Place>
PenaltyAdjoint<Place>::PenaltyAdjoint(const Place& place, const ForwardStep<Place>& step)
    : host_(place.host()),
      potential_(place.potential(step)),
      equations_(potential_, span_of(step), step.before.velocities) {
  equations_.add_near(step.after);
  equations_.contacts().add({step.touching.begin(), step.touching.end()});
  point_ = equations_.evaluate(solve::copied(step.after));
}

template <class Place>
bool PenaltyAdjoint<Place>::any() const {
  return std::any_of(point_.at.begin(), point_.at.end(), [](const auto& at) { return at.gap < 0; });
}

template <class Place>
auto PenaltyAdjoint<Place>::pull_back(std::span<const double> z, std::vector<contact::Geometry>& bars) const
    -> std::vector<ByLaw> {
  const auto& contacts = equations_.contacts();
  const auto keys = contacts.keys();
  std::vector<ByLaw> result;
  result.reserve(keys.size());
  bars.clear();
  bars.reserve(keys.size());
  for (std::size_t c = 0; c < keys.size(); ++c) {
    const auto& at = point_.at[c];
    const auto law = equations_.law(at, c);
    mesh::Vector3 moved{};
    for (std::size_t k = 0; k < at.weights.size(); ++k) mesh::add(moved, at.weights[k], mesh::vector_at(z, 4 * c + k));
    const auto by = contact::penalty_pull_back(law, at, moved);
    auto& bar = bars.emplace_back(by.geometry);
    result.push_back({contacts.cone_pull_back(c, at, by.cone, bar), by.stiffness, by.relaxed});
    const auto force = contact::penalty_force(law, at);
    for (std::size_t k = 0; k < bar.weights.size(); ++k)
      bar.weights[k] = force.pressed * mesh::dot(force.direction, mesh::vector_at(z, 4 * c + k));
  }
  return result;
}

template <class Place>
SolveEvidence PenaltyAdjoint<Place>::solve(In b, derive::Quantity product, const AdjointSettings& settings, Out z) {
  std::vector<solve::PenaltyCoupling::Block> blocks(point_.at.size());
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    const auto rows = contact::penalty_derivative(equations_.law(point_.at[c], c), point_.at[c]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) blocks[c][i][j] = -rows[j][i];
  }
  const auto& contacts = equations_.contacts();
  const auto metric = contacts.metric(point_.at, contact::CondensedStorage::stored);
  const solve::PenaltyCoupling coupling(metric, std::move(blocks));
  if (!coupling.exists()) return {.residual = 1};
  const System& objective = equations_.objective();
  solve::PenaltyForces<System> between(objective, coupling);
  solve::FacePreconditioner<System> preconditioner(objective, metric,
                                                   [&](const auto& u, auto& forces) { between(u, forces); });
  objective.linearise(point_.x, product);
  Vector part = device::like(b);
  auto forces = preconditioner.zeros();
  const auto negative_bars = [&](std::span<const double> at_nodes, std::span<const double>) {
    std::vector<contact::Geometry> bars;
    pull_back(at_nodes, bars);
    for (auto& bar : bars) contact::negate(bar);
    return bars;
  };
  const solve::ContactOperator<System> of_contacts(
      objective, contacts.keys(),
      solve::pulled_back(contacts, equations_.view().seen(point_.x), solve::WithForces::no, negative_bars));
  const auto op = [&](In v, Out y) {
    preconditioner.apply(v, part, forces);
    solve::exact_hessian_product(objective, part, y);
    of_contacts.add_moves(part, y);
  };
  device::set_zero(z);
  return solve_by_gmres<typename solve::ContactView<System>::Basis>({op, true}, b, settings,
                                                                    [&] { device::add_scaled(z, 1, part); });
}

template <class Place>
void PenaltyAdjoint<Place>::add(std::span<const double> z, std::span<double> by_x, std::span<double> before_x,
                                std::span<double>, std::span<double> by_rest, Gradient& gradient) const {
  std::vector<contact::Geometry> bars;
  const auto& contacts = equations_.contacts();
  const auto by = pull_back(solve::at_nodes_of(contacts.keys(), z), bars);
  const auto& detection = host_.contacts().detection();
  const auto x = equations_.view().seen(point_.x);
  detection.pull_back(contacts.step(), contacts.keys(), x, bars, by_x, before_x, gradient.obstacles);
  if (!by_rest.empty()) detection.pull_back_rest(contacts.step(), contacts.keys(), x, bars, by_rest);
  for (std::size_t c = 0; c < by.size(); ++c) {
    const auto pair = static_cast<std::size_t>(contacts.keys()[c].pair);
    add_friction(by[c].friction, contacts.keys()[c].pair, gradient);
    gradient.penalty_stiffness[pair] += by[c].stiffness;
    gradient.slip_speed[pair] += by[c].relaxed * (contacts.step().end - contacts.step().begin);
  }
}

template class PenaltyAdjoint<HostSweep>;
template class PenaltyAdjoint<CudaSweep>;

}  // namespace proxima::adjoint
