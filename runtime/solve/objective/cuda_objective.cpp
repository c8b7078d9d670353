#include "runtime/solve/objective/cuda_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "runtime/solve/objective/contacts.hpp"

namespace proxima::solve {
namespace {

constexpr std::size_t block = kernels::vector_block;

std::vector<CudaRegion> make_regions(const std::shared_ptr<device::CudaAlgebra>& algebra, const Objective& objective,
                                     std::vector<RegionKernels>& regions) {
  std::vector<char> held;
  held.reserve(objective.nodes());
  for (std::size_t node = 0; node < objective.nodes(); ++node) held.push_back(objective.held(node) ? 1 : 0);
  std::vector<CudaRegion> result;
  result.reserve(regions.size());
  for (auto& region : regions) result.emplace_back(algebra, region, held);
  return result;
}

}  // namespace

CudaObjective::CudaObjective(device::CudaEngine& engine, const Objective& objective,
                             std::vector<RegionKernels>& regions, std::span<const std::size_t> damped,
                             const Preconditioner& preconditioner)
    : algebra_(std::make_shared<device::CudaAlgebra>(engine)),
      cg_(std::make_unique<CudaCg>(engine)),
      objective_(&objective),
      kernels_(regions),
      damped_(damped),
      preconditioner_(&preconditioner),
      regions_(make_regions(algebra_, objective, regions)),
      inertia_(engine.device().allocate(objective.nodes() * sizeof(double))),
      rows_(engine.constant(std::as_bytes(preconditioner.nodes()))),
      previous_(vector()),
      compact_(algebra_, 3 * preconditioner.nodes().size()),
      linearised_(vector()) {
  if (objective.contacts().none()) return;
  touching_nodes_ = std::make_unique<CudaWatchedNodes>(algebra_, objective, objective.contacts().nodes());
  between_contacts_ = std::make_unique<contact::CudaCondensedMatrix>(algebra_, preconditioner.inverse());
}

void CudaObjective::follow() {
  if (entered_ != objective_->entered()) {
    previous_.write(objective_->previous());
    for (auto& region : regions_) region.follow_history();
  }
  follow_values();
}

void CudaObjective::enter_step(double time, double step, In previous, const CudaHistory& history,
                               std::span<const double> driven) {
  objective_->enter_values(time, step, driven);
  device::copy(previous, previous_);
  for (std::size_t r = 0; r < regions_.size(); ++r) regions_[r].enter_history(history[r]);
  follow_values();
}

void CudaObjective::follow_values() {
  entered_ = objective_->entered();
  if (inertia_changes_ != objective_->inertia_changes()) inertia_.write(std::as_bytes(objective_->inertia()));
  inertia_changes_ = objective_->inertia_changes();
  if (factorization_ == objective_->factorizations()) return;
  factor_ = own_.of(algebra_->engine(), *preconditioner_);
  factorization_ = objective_->factorizations();
  follow_preconditioner();
}

void CudaObjective::follow_preconditioner() {
  if (preconditioner_of_ == objective_->factorizations()) return;
  diagonal_ = algebra_->engine().constant(std::as_bytes(preconditioner_->diagonal()));
  const Deflation* m = objective_->deflation();
  deflation_ = m == nullptr ? nullptr : std::make_unique<CudaDeflation>(algebra_, *m, rows_);
  preconditioner_of_ = objective_->factorizations();
}

void CudaObjective::share(std::shared_ptr<factor::CudaFactor> factor) {
  factor_ = std::move(factor);
  factorization_ = factor_ == nullptr ? 0 : objective_->factorizations();
  if (factor_ != nullptr) follow_preconditioner();
}

std::shared_ptr<factor::CudaFactor> CudaObjective::factor_for(int worlds) {
  return of_worlds_.of(algebra_->engine(), *preconditioner_, worlds);
}

std::size_t CudaObjective::energy_chunks() const {
  std::size_t count = 0;
  for (const auto& region : regions_) count += region.energy_chunks();
  return count;
}

double CudaObjective::elastic_energy(In x) const {
  device::CudaPartials sum = algebra_->partials(energy_chunks());
  add_elastic_energy(x, sum);
  return algebra_->total(sum);
}

void CudaObjective::add_elastic_energy(In x, device::CudaPartials& sum) const {
  for (auto& region : regions_) region.add_energy({x, previous_}, sum);
}

double CudaObjective::elastic_energy_and_gradient(In x, Out y) const {
  device::CudaPartials sum = algebra_->partials(energy_chunks());
  for (auto& region : regions_) region.add_energy_and_gradient({x, previous_}, sum, y);
  return algebra_->total(sum);
}

double CudaObjective::stored_energy(In x) const {
  device::CudaPartials sum = algebra_->partials(energy_chunks());
  for (auto& region : regions_)
    if (region.kernels().stores()) region.add_energy({x, previous_}, sum);
  return algebra_->total(sum);
}

void CudaObjective::update_history(In x, CudaHistory& result) const {
  for (std::size_t r = 0; r < regions_.size(); ++r) regions_[r].update_history({x, previous_}, result[r]);
}

CudaItemEnergies CudaObjective::item_energies() const {
  CudaItemEnergies result;
  for (const auto& region : regions_) result.push_back(region.item_energies());
  return result;
}

void CudaObjective::add_elastic_gradient(In x, CudaItemEnergies& energies, Out y) const {
  for (std::size_t r = 0; r < regions_.size(); ++r) regions_[r].add_gradient({x, previous_}, energies[r], y);
}

void CudaObjective::add_elastic_difference(const CudaItemEnergies& first, const CudaItemEnergies& second,
                                           device::CudaPartials& sum) const {
  for (std::size_t r = 0; r < regions_.size(); ++r) regions_[r].add_energy_difference(first[r], second[r], sum);
}

void CudaObjective::add_elastic_gradient(In x, Out y) const {
  for (auto& region : regions_) region.add_gradient({x, previous_}, y);
}

void CudaObjective::linearise(In x, derive::Quantity product) const {
  device::copy(x, linearised_);
  product_ = product;
  if (single_) {
    single_->set_positions(linearised_, previous_);
    for (auto& region : regions_)
      if (sees_differences(region.kernels().energy())) region.narrow_fields(product);
  }
  if (deflation_) deflation_->turn(linearised_);
}

void CudaObjective::exact_hessian_product(In direction, Out y) const {
  algebra_->weigh_nodes.each(y.size(), block, y.array(), inertia_, direction.array(), static_cast<int>(y.size()));
  for (auto& region : regions_) region.add_hessian_vector(product_, {linearised_, previous_}, direction, y);
}

void CudaObjective::hessian_product(In direction, Out y) const {
  if (!single_) return exact_hessian_product(direction, y);
  single_->set_direction(direction);
  algebra_->weigh_nodes.each(y.size(), block, y.array(), inertia_, direction.array(), static_cast<int>(y.size()));
  for (auto& region : regions_)
    if (sees_differences(region.kernels().energy()))
      region.add_hessian_vector(product_, *single_, y);
    else
      region.add_hessian_vector(product_, {linearised_, previous_}, direction, y);
}

void CudaObjective::set_product_precision(emit::Precision precision) {
  single_.reset();
  if (precision == emit::Precision::fp32)
    single_ = std::make_unique<CudaSingle>(algebra_, kernels_, objective_->nodes());
}

void CudaObjective::precondition(In r, Out z) const {
  gather_rows(r);
  factor_->solve(compact_, compact_);
  scatter_rows(z);
}

void CudaObjective::forward(In r, device::CudaVector& half) const {
  gather_rows(r);
  factor_->forward(compact_, half);
}

void CudaObjective::backward(const device::CudaVector& half, Out z) const {
  factor_->backward(half, compact_);
  scatter_rows(z);
}

void CudaObjective::gather_rows(In r) const {
  algebra_->nodes_to_rows.each(compact_.size(), block, compact_.array(), r.array(), *rows_,
                               static_cast<int>(compact_.size()));
}

void CudaObjective::scatter_rows(Out z) const {
  device::set_zero(z);
  algebra_->rows_to_nodes.each(compact_.size(), block, z.array(), compact_.array(), *rows_,
                               static_cast<int>(compact_.size()));
}

void CudaObjective::precondition_hessian(In r, Out z) const {
  if (deflation_)
    deflation_->apply(*factor_, r, z);
  else
    precondition(r, z);
}

void CudaObjective::require_proximal_step(In x) const {
  for (auto& region : regions_)
    if (!region.kernels().has_proximal_step() && !std::isfinite(region.energy({x, previous_})))
      refuse_proximal_step(region.kernels());
}

CudaDual CudaObjective::zero_dual() const {
  CudaDual dual;
  for (const auto& region : regions_)
    if (region.kernels().has_proximal_step())
      dual.emplace_back(region.zero_dual());
    else
      dual.emplace_back();
  return dual;
}

CudaDual CudaObjective::equilibrium_dual(In x) const {
  CudaDual dual = zero_dual();
  for (std::size_t r = 0; r < dual.size(); ++r)
    if (dual[r]) regions_[r].set_equilibrium_dual({x, previous_}, *dual[r]);
  return dual;
}

void CudaObjective::add_proximal_force(In x, Dual& dual, Out y) const {
  for (std::size_t r = 0; r < dual.size(); ++r)
    if (dual[r])
      regions_[r].add_proximal_force({x, previous_}, *dual[r], y);
    else
      regions_[r].add_gradient({x, previous_}, y);
}

double CudaObjective::gradient_rounding(In x) const {
  return rounding_of(algebra_->sum_by(algebra_->sum_of_weighed_squares, x.size(), *diagonal_, x.array()));
}

double CudaObjective::rounding_of(double weighed_square) {
  return std::numeric_limits<double>::epsilon() * std::sqrt(weighed_square);
}

}  // namespace proxima::solve
