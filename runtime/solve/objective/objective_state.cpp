#include "runtime/solve/objective/objective_state.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runtime/device/parallel.hpp"

namespace proxima::solve {
namespace {

// Sub-steps this many times shorter get an A of their own: inertia outweighs what is in that of the whole step.
constexpr double shortest_for_a = 4;

std::vector<std::size_t> damped_regions(const model::Model& model) {
  std::vector<std::size_t> result;
  for (std::size_t r = 0; r < model.regions.size(); ++r)
    if (!model.regions[r].damping.stiffness.empty()) result.push_back(r);
  return result;
}

// Damping by stiffness is one more energy on the same elements.
model::Region dissipation_of(const model::Region& region) {
  model::Region result = region;
  result.energy = std::make_shared<ir::Energy>(derive::rayleigh_dissipation(*region.energy));
  result.parameters.push_back(region.damping.stiffness);
  if (!result.signals.empty()) result.signals.emplace_back();
  return result;
}

std::vector<RegionKernels> make_regions(const model::Model& model, jit::Engine& engine) {
  const auto damped = damped_regions(model);
  std::vector<RegionKernels> result;
  result.reserve(model.regions.size() + damped.size());
  for (const auto& region : model.regions) result.emplace_back(model, region, engine);
  for (const std::size_t r : damped) result.emplace_back(model, dissipation_of(model.regions[r]), engine);
  return result;
}

std::vector<Preconditioner::Part> parts_of(const std::vector<RegionKernels>& regions) {
  std::vector<Preconditioner::Part> result;
  result.reserve(regions.size());
  for (const auto& region : regions) result.push_back({&region.set().elements(), &region.set().rest()});
  return result;
}

// w times this is an energy: the measure of solids and membranes, the squared size of edges and stencils.
double stiffness_scale(const ElementSet& set, const mesh::Mesh& mesh, std::size_t element) {
  const auto& measure = set.rest().measure;
  if (set.rest().dimension >= 2) {
    double total = 0;
    for (std::size_t q = 0; q < set.points(); ++q) total += measure[element * set.points() + q];
    return total;
  }
  double squared = 0;
  const auto nodes = set.elements().of(element);
  for (const auto node : nodes)
    for (std::size_t i = 0; i < 3; ++i)
      squared = std::max(squared, std::pow(mesh.nodes[node][i] - mesh.nodes[nodes[0]][i], 2));
  return squared;
}

// An assembly costs about as much as this many products by kernels where elements have one quadrature point and their
// energy is cheap; where they have several, three, and there is hardly a linear solve with fewer.
constexpr int worth_an_assembly = 8;

int first_products(const std::vector<RegionKernels>& regions) {
  const bool several_points =
      std::any_of(regions.begin(), regions.end(), [](const auto& region) { return region.set().points() > 1; });
  return several_points ? 0 : worth_an_assembly;
}

}  // namespace

Objective::State::State(const model::Model& model, jit::Engine& engine, factor::Storage storage, int slow,
                        const Preconditioner* like)
    : held(model::held_nodes(model)),
      has_inertia(model::integrator_row(model.integrator).inertia),
      model_step(model::integrator_row(model.integrator).share * model.time_step),
      regions(make_regions(model, engine)),
      damped(damped_regions(model)),
      controls(model, engine),
      contacts(model, engine),
      lumping(model.lumping),
      mesh(model.mesh),
      preconditioner(parts_of(regions), held, storage, like),
      products_before_assembly(first_products(regions)),
      slow_modes(slow),
      initial_history(model::initial_history(model)),
      previous(model.initial_positions) {
  for (std::size_t node = 0; node < held.size(); ++node)
    if (held[node]) held_nodes.push_back(node);
  for (const auto& region : model.regions) {
    densities.push_back(region.density);
    mass_damping.push_back(region.damping.mass);
  }
  set_rest_scales(model);
  set_mass();
  std::vector<double> as_given;
  for (const auto& drive : controls.drives())
    as_given.push_back(model.regions[drive.region].parameters[drive.parameter][0]);
  enter_step({0, model_step, model.initial_positions, initial_history, as_given});
}

void Objective::State::enter_step(const StepInputs& inputs) {
  enter_regions(inputs);
  if (enter_time(inputs.step, inputs.driven)) enter_regions(inputs);
  drive(inputs.driven);
}

void Objective::State::enter_values(double time, double effective_step, std::span<const double> driven) {
  const auto enter = [&] {
    for (auto& region : regions) region.enter_values(time, effective_step);
  };
  enter();
  if (enter_time(effective_step, driven)) enter();
  drive(driven);
}

bool Objective::State::enter_time(double effective_step, std::span<const double> driven) {
  if (driven.size() != controls.drives().size())
    throw std::logic_error("a step is entered without the values that controllers set");
  ++entered;
  if (step != effective_step) {
    step = effective_step;
    set_inertia();
  }
  // A function of the step entered alone, so that a restart has the same A.
  const double wanted = step * shortest_for_a > model_step ? model_step : step;
  if (wanted == matrix_step) return false;
  matrix_step = wanted;
  build();
  return true;
}

void Objective::State::enter_regions(const StepInputs& inputs) {
  std::span<const double> history = inputs.history;
  std::size_t size = 0;
  for (const auto& region : regions) size += region.history_size();
  if (history.size() != size) throw std::logic_error("a step is entered with a history of another model");
  if (inputs.previous.data() != previous.data()) previous.assign(inputs.previous.begin(), inputs.previous.end());
  for (auto& region : regions) {
    const std::size_t count = region.history_size();
    region.enter_step({inputs.time, inputs.step, previous, history.first(count)});
    history = history.subspan(count);
  }
}

void Objective::State::drive(std::span<const double> driven) {
  for (std::size_t d = 0; d < driven.size(); ++d) {
    const auto& drive = controls.drives()[d];
    regions[drive.region].drive(drive.parameter, driven[d]);
    for (std::size_t k = 0; k < damped.size(); ++k)
      if (damped[k] == drive.region) regions[model_regions() + k].drive(drive.parameter, driven[d]);
  }
}

void Objective::State::set_inertia() {
  ++inertia_changes;
  inertia = inertia_of(step);
  for (const std::size_t node : held_nodes) inertia[node] = 0;
}

// What follows from the rest shape and belongs to no single element set.
void Objective::State::set_rest_scales(const model::Model& model) {
  scales.clear();
  for (const auto& region : regions)
    for (std::size_t e = 0; e < region.set().elements().count(); ++e)
      scales.push_back(stiffness_scale(region.set(), mesh, e));
  nodal_volume.clear();
  for (std::size_t r = 0; r < model_regions(); ++r)
    nodal_volume.push_back(densities[r] == 0
                               ? model::NodalVolume{}
                               : model::nodal_volume(model.regions[r], regions[r].set().rest(), model.lumping));
}

bool Objective::State::set_values(const model::Model& model) {
  for (std::size_t r = 0; r < model_regions(); ++r) regions[r].set_values(model.regions[r]);
  for (std::size_t k = 0; k < damped.size(); ++k)
    regions[model_regions() + k].set_values(dissipation_of(model.regions[damped[k]]));
  contacts.set_values(model);
  bool stale = false;
  for (std::size_t r = 0; r < model_regions(); ++r) {
    stale = stale || densities[r] != model.regions[r].density || mass_damping[r] != model.regions[r].damping.mass;
    densities[r] = model.regions[r].density;
    mass_damping[r] = model.regions[r].damping.mass;
  }
  if (mesh.nodes != model.mesh.nodes) {
    mesh.nodes = model.mesh.nodes;
    for (auto& region : regions) region.set_rest(mesh.nodes);
    set_rest_scales(model);
    preconditioner.set_rest(parts_of(regions));
    stale = true;
  }
  if (!stale) return false;
  set_mass();
  set_inertia();
  return true;
}

void Objective::State::set_mass() {
  mass.assign(held.size(), 0.0);
  drag.assign(held.size(), 0.0);
  for (std::size_t r = 0; r < densities.size(); ++r) {
    model::add_scaled(mass, densities[r], nodal_volume[r]);
    model::add_scaled(drag, mass_damping[r] * densities[r], nodal_volume[r]);
  }
}

std::vector<double> Objective::State::inertia_of(double effective_step) const {
  std::vector<double> result(mass.size());
  if (!has_inertia) return result;
  for (std::size_t node = 0; node < mass.size(); ++node)
    result[node] = (mass[node] + effective_step * drag[node]) / (effective_step * effective_step);
  return result;
}

std::vector<double> Objective::State::wanted_weights() const {
  std::vector<double> result;
  for (const auto& region : regions) {
    const auto values = region.weights(matrix_step);
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

// In a piece that nothing holds A is as definite as its inertia makes it, which vanishes in rounding where steps are
// very long or bodies very light.
void Objective::State::refuse(std::size_t node, std::span<const double> of_inertia) const {
  const auto& x = mesh.nodes[node];
  const double of_mass = of_inertia[node], stiffness = preconditioner.diagonal()[node] - of_mass;
  const auto fault = std::isfinite(of_mass)
                         ? fmt::format(" and the stiffness {:.3g} kg/s^2, too far apart to be computed with", stiffness)
                         : ", which cannot be computed with";
  fail(
      "a step of {:.3g} s cannot be solved at the node that is at ({:.4g}, {:.4g}, {:.4g}) at rest: mass over the "
      "step's square is {:.3g} kg/s^2{}; the step, the density, the moduli or the mesh's scale is not in SI units, or "
      "the body has to be held",
      matrix_step, x[0], x[1], x[2], of_mass, fault);
}

void Objective::State::build() {
  weights = wanted_weights();
  const auto of_inertia = inertia_of(matrix_step);
  try {
    preconditioner.build(of_inertia, weights);
  } catch (const factor::NotPositiveDefinite& stopped) {
    refuse(static_cast<std::size_t>(preconditioner.nodes()[static_cast<std::size_t>(stopped.row())]), of_inertia);
  }
  ++factorizations;
  stiffness_volume = device::dot(weights, scales);
  std::span<const double> left = weights;
  for (auto& region : regions) {
    const std::size_t count = region.set().elements().count();
    region.set_proximal_weights(left.first(count));
    left = left.subspan(count);
  }
  if (slow_modes == 0 || matrix_step != model_step || has_rest_stiffness) return;
  build_deflation();
  has_rest_stiffness = true;
}

void Objective::State::assemble(std::span<const double> x, std::span<const double> of_inertia) {
  if (!hessian) hessian.emplace(regions, preconditioner, held.size());
  hessian->assemble(regions, x, of_inertia);
}

void Objective::State::build_deflation() {
  std::vector<double> rest;
  for (const auto& node : mesh.nodes) rest.insert(rest.end(), node.begin(), node.end());
  enter_regions({0, model_step, rest, initial_history});
  assemble(rest, inertia_of(model_step));
  deflation.emplace(preconditioner, rest, hessian->rows(), slow_modes);
  if (!deflation->usable()) deflation.reset();
}

}  // namespace proxima::solve
