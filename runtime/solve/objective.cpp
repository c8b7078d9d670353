#include "runtime/solve/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/preconditioner.hpp"
#include "runtime/solve/region.hpp"

namespace proxima::solve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double rebuild_ratio = 2;

std::vector<char> held_flags(const model::Model& model) {
  std::vector<char> held(model.mesh.nodes.size());
  for (const auto& dirichlet : model.dirichlet)
    for (const auto node : dirichlet.nodes) held[node] = 1;
  return held;
}

}  // namespace

struct Objective::State {
  State(const model::Model& model, jit::Engine& engine, factor::Storage storage)
      : held(held_flags(model)),
        time_step(model.time_step),
        preconditioner(model.mesh, held, storage),
        weights(model.mesh.tets.size()) {
    for (std::size_t node = 0; node < held.size(); ++node)
      if (held[node]) held_nodes.push_back(node);
    for (const auto& region : model.regions) {
      regions.emplace_back(model, region, engine);
      auto& share = nodal_volume.emplace_back(model.mesh.nodes.size());
      for (std::size_t e = 0; e < region.tets.size(); ++e)
        for (const auto node : model.mesh.tets[region.tets[e]]) share[node] += regions.back().volume()[e] / 4;
      densities.push_back(region.density);
    }
    set_mass();
    build();
  }

  void set_mass() {
    mass.assign(held.size(), 0.0);
    for (std::size_t r = 0; r < regions.size(); ++r) device::add_scaled(mass, densities[r], nodal_volume[r]);
    inertia.resize(mass.size());
    for (std::size_t node = 0; node < mass.size(); ++node) inertia[node] = mass[node] / (time_step * time_step);
  }

  std::vector<double> wanted_weights() const {
    std::vector<double> result(weights.size());
    for (const auto& region : regions) {
      const auto values = region.weights();
      for (std::size_t e = 0; e < values.size(); ++e) result[region.tets()[e]] = values[e];
    }
    return result;
  }

  void build() {
    weights = wanted_weights();
    preconditioner.build(inertia, weights);
    ++factorizations;
    stiffness_volume = 0;
    for (const auto& region : regions)
      for (std::size_t e = 0; e < region.tets().size(); ++e)
        stiffness_volume += weights[region.tets()[e]] * region.volume()[e];
  }

  std::vector<char> held;
  std::vector<std::size_t> held_nodes;
  double time_step;
  std::vector<RegionKernels> regions;
  std::vector<std::vector<double>> nodal_volume;
  std::vector<double> densities;
  std::vector<double> mass, inertia;  // kg; m/h^2
  Preconditioner preconditioner;
  std::vector<double> weights;  // those that A was built with
  double stiffness_volume = 0;
  int factorizations = 0;
};

Objective::Objective(const model::Model& model, jit::Engine& engine, factor::Storage storage) {
  model::validate(model);
  state_ = std::make_unique<State>(model, engine, storage);
}
Objective::~Objective() = default;

std::size_t Objective::nodes() const { return state_->held.size(); }
bool Objective::held(std::size_t node) const { return state_->held[node] != 0; }
std::span<const double> Objective::mass() const { return state_->mass; }
double Objective::time_step() const { return state_->time_step; }
std::size_t Objective::regions() const { return state_->regions.size(); }
std::span<const double> Objective::nodal_volume(std::size_t region) const { return state_->nodal_volume[region]; }
const factor::FactorStatistics& Objective::factor_statistics() const { return state_->preconditioner.statistics(); }
int Objective::factorizations() const { return state_->factorizations; }

void Objective::set_parameters(const std::vector<std::vector<std::vector<double>>>& parameters,
                               const std::vector<double>& densities) {
  State& s = *state_;
  if (parameters.size() != s.regions.size() || densities.size() != s.regions.size())
    fail("parameters of {} regions and {} densities are given, the model has {} regions", parameters.size(),
         densities.size(), s.regions.size());
  for (std::size_t r = 0; r < densities.size(); ++r)
    if (!(densities[r] > 0 && std::isfinite(densities[r])))
      fail("region {}: density is {} kg/m^3, it must be above 0", r, densities[r]);
  for (std::size_t r = 0; r < parameters.size(); ++r) s.regions[r].set_parameters(parameters[r]);
  bool stale = densities != s.densities;
  if (stale) {
    s.densities = densities;
    s.set_mass();
  }
  if (!stale) {
    const auto wanted = s.wanted_weights();
    for (std::size_t t = 0; t < wanted.size() && !stale; ++t)
      stale = wanted[t] > rebuild_ratio * s.weights[t] || wanted[t] * rebuild_ratio < s.weights[t];
  }
  if (stale) s.build();
}

ElasticEnergy Objective::elastic_energy(std::span<const double> x) const {
  ElasticEnergy result;
  for (auto& region : state_->regions) {
    const auto energies = region.energies(x, 0);
    result.value += device::sum(energies);
    if (std::isfinite(result.value)) continue;
    const auto bad = std::find_if_not(energies.begin(), energies.end(), [](double e) { return std::isfinite(e); });
    if (bad != energies.end()) {
      result.outside = region.tets()[static_cast<std::size_t>(bad - energies.begin())];
      return result;
    }
  }
  return result;
}

ElasticEnergy Objective::elastic_difference(std::span<const double> x0, std::span<const double> x1) const {
  ElasticEnergy result;
  for (auto& region : state_->regions) {
    const auto before = region.energies(x0, 0), after = region.energies(x1, 1);
    for (std::size_t e = 0; e < after.size(); ++e) {
      const double change = after[e] - before[e];
      if (!std::isfinite(change)) {
        result.value = change;
        result.outside = region.tets()[e];
        return result;
      }
      result.value += change;
    }
  }
  return result;
}

void Objective::add_elastic_gradient(std::span<const double> x, std::span<double> y) const {
  for (auto& region : state_->regions) region.add_gradient(x, y);
  clear_held(y);
}

void Objective::add_elastic_hessian_vector(std::span<const double> x, std::span<const double> direction,
                                           std::span<double> y) const {
  for (auto& region : state_->regions) region.add_hessian_vector(x, direction, y);
  clear_held(y);
}

ElementState Objective::element_state(std::span<const double> x) const {
  ElementState result;
  result.stress.resize(9 * state_->weights.size());
  result.density.resize(state_->weights.size());
  for (auto& region : state_->regions) region.write_state(x, result.stress, result.density);
  return result;
}

void Objective::hessian_vector(std::span<const double> x, std::span<const double> direction,
                               std::span<double> y) const {
  const auto& inertia = state_->inertia;
  for (std::size_t node = 0; node < inertia.size(); ++node)
    for (std::size_t axis = 0; axis < 3; ++axis) y[3 * node + axis] = inertia[node] * direction[3 * node + axis];
  add_elastic_hessian_vector(x, direction, y);
}

void Objective::clear_held(std::span<double> y) const {
  for (const std::size_t node : state_->held_nodes) std::fill_n(&y[3 * node], 3, 0.0);
}

std::vector<std::vector<std::vector<double>>> Objective::pull_back(std::span<const double> x,
                                                                   std::span<const double> direction) const {
  std::vector<std::vector<std::vector<double>>> result;
  for (auto& region : state_->regions) result.push_back(region.pull_back(x, direction));
  return result;
}

void Objective::precondition(std::span<const double> r, std::span<double> z) const {
  state_->preconditioner.apply(r, z);
}

double Objective::gradient_rounding(std::span<const double> x) const {
  const auto diagonal = state_->preconditioner.diagonal();
  double total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double term = diagonal[i / 3] * x[i];
    total += term * term;
  }
  return epsilon * std::sqrt(total);
}

double Objective::energy_rounding() const { return epsilon * state_->stiffness_volume; }

}  // namespace proxima::solve
