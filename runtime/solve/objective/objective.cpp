#include "runtime/solve/objective/objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compiler/support/error.hpp"
#include "runtime/device/parallel.hpp"
#include "runtime/solve/objective/objective_state.hpp"
#include "runtime/solve/region/strain.hpp"

namespace proxima::solve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Adds those of region r; false where they are not finite.
bool add_energies(std::span<const double> energies, std::size_t r, ElasticEnergy& total) {
  total.value += device::sum(energies);
  if (std::isfinite(total.value)) return true;
  const auto bad = std::find_if_not(energies.begin(), energies.end(), [](double e) { return std::isfinite(e); });
  if (bad != energies.end()) total.outside = {r, static_cast<std::size_t>(bad - energies.begin())};
  return bad == energies.end();
}

}  // namespace

Objective::Objective(const model::Model& model, jit::Engine& engine, factor::Storage storage, int slow_modes,
                     const Objective* like) {
  model::validate(model);
  state_ = std::make_unique<State>(model, engine, storage, slow_modes,
                                   like == nullptr ? nullptr : &like->state_->preconditioner);
}
Objective::~Objective() = default;

void Objective::use(device::CudaEngine& engine) {
  state_->gpu = std::make_unique<CudaObjective>(engine, *this, state_->regions, state_->damped, state_->preconditioner);
}
CudaObjective* Objective::gpu() const { return state_->gpu.get(); }

std::size_t Objective::nodes() const { return state_->held.size(); }
bool Objective::held(std::size_t node) const { return state_->held[node] != 0; }
std::span<const double> Objective::mass() const { return state_->mass; }
std::span<const double> Objective::inertia() const { return state_->inertia; }
std::span<const double> Objective::previous() const { return state_->previous; }
std::size_t Objective::regions() const { return state_->model_regions(); }
const model::NodalVolume& Objective::nodal_volume(std::size_t region) const { return state_->nodal_volume[region]; }
const factor::FactorStatistics& Objective::factor_statistics() const { return state_->preconditioner.statistics(); }
double Objective::rest_stiffness(std::size_t region) const {
  return state_->regions[region].weights(state_->model_step).front();
}
int Objective::factorizations() const { return state_->factorizations; }

void Objective::set_values(const model::Model& model) {
  State& s = *state_;
  if (model.regions.size() != regions())
    fail("values of {} regions are given, the model has {}", model.regions.size(), regions());
  for (std::size_t r = 0; r < regions(); ++r)
    if (const double density = model.regions[r].density;
        (s.densities[r] == 0) != (density == 0) || !(density >= 0 && std::isfinite(density)))
      fail("region '{}': density is {} kg/m^3, it must be {}", model.regions[r].name, density,
           s.densities[r] == 0 ? "0, for it has no mass" : "above 0");
  ControllerParameters of_controllers;
  for (const auto& controller : model.controllers) of_controllers.push_back(controller.parameters);
  s.controls.set_parameters(of_controllers);
  // Of the model's step, as the first step after this wants it, whichever the last one had: worlds begin with this A.
  const bool of_short_step = std::exchange(s.matrix_step, s.model_step) != s.model_step;
  // What deflates is made of more than the weights.
  if (!s.set_values(model) && !of_short_step && s.slow_modes == 0 && s.wanted_weights() == s.weights) return;
  s.has_rest_stiffness = false;
  s.build();
}

const Contacts& Objective::contacts() const { return state_->contacts; }
void Objective::share(SharedSolve::Seat* seat) { state_->preconditioner.share(seat); }
const Preconditioner& Objective::preconditioner() const { return state_->preconditioner; }
const Controls& Objective::controls() const { return state_->controls; }
Controls& Objective::controls() { return state_->controls; }

void Objective::enter_step(const StepInputs& inputs) const { state_->enter_step(inputs); }
void Objective::enter_values(double time, double step, std::span<const double> driven) const {
  state_->enter_values(time, step, driven);
}
std::uint64_t Objective::entered() const { return state_->entered; }
std::uint64_t Objective::inertia_changes() const { return state_->inertia_changes; }

std::vector<double> Objective::next_history(std::span<const double> x) const {
  std::vector<double> result(state_->initial_history.size());
  std::span<double> rest = result;
  for (auto& region : state_->regions) {
    const std::size_t count = region.history_size();
    region.update_history(x, rest.first(count));
    rest = rest.subspan(count);
  }
  return result;
}

ElasticEnergy Objective::elastic_energy(std::span<const double> x) const {
  ElasticEnergy result;
  for (std::size_t r = 0; r < state_->regions.size(); ++r)
    if (!add_energies(state_->regions[r].energies(x, 0), r, result)) break;
  return result;
}

ElasticEnergy Objective::elastic_energy_and_gradient(std::span<const double> x, std::span<double> y) const {
  ElasticEnergy result;
  for (std::size_t r = 0; r < state_->regions.size(); ++r)
    if (!add_energies(state_->regions[r].energies_and_gradient(x, y), r, result)) break;
  clear_held(y);
  return result;
}

double Objective::stored_energy(std::span<const double> x) const {
  double result = 0;
  for (auto& region : state_->regions)
    if (region.stores()) result += device::sum(region.energies(x, 0));
  return result;
}

ElasticEnergy Objective::elastic_difference(std::span<const double> x0, std::span<const double> x1) const {
  ElasticEnergy result;
  for (std::size_t r = 0; r < state_->regions.size(); ++r) {
    auto& region = state_->regions[r];
    const auto before = region.energies(x0, 0), after = region.energies(x1, 1);
    for (std::size_t item = 0; item < after.size(); ++item) {
      const double change = after[item] - before[item];
      if (!std::isfinite(change)) {
        result.value = change;
        result.outside = {r, item};
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

void Objective::add_full_hessian_vector(std::span<const double> x, std::span<const double> direction,
                                        std::span<double> y) const {
  for (auto& region : state_->regions) region.add_hessian_vector(derive::Quantity::hessian_vector, x, direction, y);
}

ElementState Objective::element_state(std::span<const double> x) const {
  ElementState result(mesh::element_count(state_->mesh));
  for (auto& region : state_->regions)
    if (!region.set().numbers().empty())
      region.add_state(x, mesh::first_element(state_->mesh, region.set().elements().shape), result);
  return result;
}

std::vector<double> Objective::elastic_forces(std::span<const double> x) const {
  std::vector<double> result(x.size());
  for (auto& region : state_->regions)
    if (region.stores()) region.add_gradient(x, result);
  for (double& force : result) force = -force;
  return result;
}

void Objective::hessian_vector(std::span<const double> x, std::span<const double> direction, std::span<double> y,
                               derive::Quantity product) const {
  const auto& inertia = state_->inertia;
  for (std::size_t node = 0; node < inertia.size(); ++node)
    for (std::size_t axis = 0; axis < 3; ++axis) y[3 * node + axis] = inertia[node] * direction[3 * node + axis];
  for (auto& region : state_->regions) region.add_hessian_vector(product, x, direction, y);
  clear_held(y);
}

void Objective::clear_held(std::span<double> y) const {
  for (const std::size_t node : state_->held_nodes) std::fill_n(&y[3 * node], 3, 0.0);
}

void Objective::precondition(std::span<const double> r, std::span<double> z) const {
  state_->preconditioner.apply(r, z);
}

void Objective::linearise(std::span<const double> x, derive::Quantity product) const {
  state_->product = product;
  state_->linearised.assign(x.begin(), x.end());
  state_->products = 0;
  if (state_->deflates()) state_->deflation->turn(x);
}

void Objective::hessian_product(std::span<const double> direction, std::span<double> y) const {
  State& s = *state_;
  const int by_kernels = s.products_before_assembly;
  if (s.products < by_kernels || s.product != derive::Quantity::hessian_vector) {
    hessian_vector(s.linearised, direction, y, s.product);
  } else {
    if (s.products == by_kernels) s.assemble(s.linearised, s.inertia);
    s.hessian->multiply(s.preconditioner, direction, y);
  }
  ++s.products;
}

void Objective::precondition_hessian(std::span<const double> r, std::span<double> z) const {
  if (state_->deflates())
    state_->deflation->apply(state_->preconditioner, r, z);
  else
    state_->preconditioner.apply(r, z);
}

const Deflation* Objective::deflation() const { return state_->deflates() ? &*state_->deflation : nullptr; }

std::string Objective::trace(const ElementPoint& point, std::span<const double> x) const {
  const auto& region = state_->regions[point.region];
  for (const auto quantity : {derive::Quantity::energy, derive::Quantity::forces})
    if (auto text = region.trace(quantity, point.item, x); !text.empty()) return text;
  return "";
}

std::optional<ElementPoint> Objective::find_infinite_force(std::span<const double> x) const {
  for (std::size_t r = 0; r < state_->regions.size(); ++r)
    for (std::size_t item = 0; item < state_->regions[r].set().items(); ++item)
      if (!state_->regions[r].trace(derive::Quantity::forces, item, x).empty()) return ElementPoint{r, item};
  return std::nullopt;
}

std::string Objective::describe(const ElementPoint& point, std::span<const double> x) const {
  return solve::describe(state_->regions[point.region].set(), point.item, state_->mesh, x);
}

ElementPoint Objective::most_compressed(std::span<const double> x) const {
  ElementPoint result;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < state_->regions.size(); ++r) {
    double ratio = 0;
    const std::size_t item = solve::most_compressed(state_->regions[r].set(), x, ratio);
    if (!(ratio < least)) continue;
    least = ratio;
    result = {r, item};
  }
  return result;
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
