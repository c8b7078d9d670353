// An Objective on a GPU, as far as steps and adjoints need it: energies, gradients, Hessian products
// and pull-backs by the same kernels compiled for the GPU, A^-1 by the same factor copied there. It follows its
// Objective, which knows the step and the values; vectors are those of Objective, all nodes, zero on held ones in
// gradients and directions.
#pragma once

#include <optional>
#include <vector>

#include "runtime/contact/cuda_condensed_matrix.hpp"
#include "runtime/factor/cuda_factor.hpp"
#include "runtime/solve/objective/cuda_cg_recurrence.hpp"
#include "runtime/solve/objective/cuda_watched_nodes.hpp"
#include "runtime/solve/objective/objective.hpp"
#include "runtime/solve/precondition/cuda_deflation.hpp"
#include "runtime/solve/precondition/cuda_kept_factor.hpp"
#include "runtime/solve/region/cuda_region.hpp"
#include "runtime/solve/region/cuda_single.hpp"

namespace proxima::solve {

// The dual variable of alternating directions on a GPU, region by region: strain_components() rows, as long as those of
// the region's kernels. None for regions that take no proximal step.
using CudaDual = std::vector<std::optional<device::CudaVector>>;

// The histories of all regions.
using CudaHistory = std::vector<CudaRegion::Histories>;

// What pull-backs leave there, of the model's regions and then of those of dissipation.
using CudaItemGradient = std::vector<CudaRegion::ItemGradient>;

// The energies of all regions, item by item.
using CudaItemEnergies = std::vector<device::CudaArray>;

// One thread of callers at a time. The same bits from run to run.
class CudaObjective {
 public:
  using Vector = device::CudaVector;
  using In = const device::CudaVector&;
  using Out = device::CudaVector&;
  using Dual = CudaDual;
  std::size_t size() const { return 3 * objective_->nodes(); }
  Vector vector() const { return {algebra_, size()}; }  // of zeros

  // All of them must stay where they are. Throws Error when the GPU has no memory for it.
  // `regions`: the model's, then those of dissipation; `damped`: of which each of these is.
  CudaObjective(device::CudaEngine& engine, const Objective& objective, std::vector<RegionKernels>& regions,
                std::span<const std::size_t> damped, const Preconditioner& preconditioner);

  // From the host, and to it.
  device::CudaVector uploaded(std::span<const double> values) const;
  CudaHistory zero_history() const;
  CudaHistory uploaded_history(std::span<const double> values) const;
  std::vector<double> values_of(const CudaHistory& history) const;
  // Of all histories, on the host: as they are here, added to those of a State, and made of them.
  void add_rows(std::span<const double> rows, std::span<double> to) const;
  std::vector<double> rows_of(std::span<const double> values) const;
  std::size_t history_size() const;  // of all regions

  // Takes over the step that the Objective has entered and the values that it has: copies what has changed. To be
  // called before what is below.
  void follow();
  // The same with positions and histories that are here, of which the Objective knows nothing.
  void enter_step(double time, double step, In previous, const CudaHistory& history, std::span<const double> driven);
  const Objective& host() const { return *objective_; }

  // A^-1 is that of `factor`, of a matrix of this pattern, until A is built anew; null: no longer.
  void share(std::shared_ptr<factor::CudaFactor> factor);
  // That of this A, to be shared by so many worlds.
  std::shared_ptr<factor::CudaFactor> factor_for(int worlds);

  double elastic_energy(In x) const;             // J; not finite where x is outside the domain of an element's energy
  void add_elastic_gradient(In x, Out y) const;  // N
  // Queue energies as partial sums of a larger sum, so many.
  std::size_t energy_chunks() const;
  void add_elastic_energy(In x, device::CudaPartials& sum) const;
  // Item by item: queue the gradient with the energies, and the second energies less the first.
  CudaItemEnergies item_energies() const;
  void add_elastic_gradient(In x, CudaItemEnergies& energies, Out y) const;
  void add_elastic_difference(const CudaItemEnergies& first, const CudaItemEnergies& second,
                              device::CudaPartials& sum) const;
  // As of Objective.
  void linearise(In x, derive::Quantity product = derive::Quantity::hessian_vector) const;
  void hessian_product(In direction, Out y) const;
  // The same in double precision, whatever set_product_precision says.
  void exact_hessian_product(In direction, Out y) const;
  // Of the elements' part of hessian_product, from the next linearise() on: in single precision where energies see
  // their nodes from one another. A linear solve is then as close as its residual is found by exact_hessian_product.
  void set_product_precision(emit::Precision precision);
  // Of what a linear solve's residual was at first: nearer than this hessian_product does not bring it, whatever the
  // recurrence says.
  double product_rounding() const { return single_ ? 1e-5 : 0; }
  void precondition(In r, Out z) const;
  void precondition_hessian(In r, Out z) const;
  void require_proximal_step(In x) const;
  Dual zero_dual() const;
  Dual equilibrium_dual(In x) const;
  void add_proximal_force(In x, Dual& dual, Out y) const;
  double gradient_rounding(In x) const;
  static double rounding_of(double weighed_square);  // the same from |diag(A) x|^2
  double energy_rounding() const { return objective_->energy_rounding(); }

  double elastic_energy_and_gradient(In x, Out y) const;  // added to y
  double stored_energy(In x) const;
  void update_history(In x, CudaHistory& result) const;
  // Pull-backs, as of Objective; those by values go to `total` and to `items`, which is added to it when all have been
  // summed. `rest`: positions there; `rest_shape`: null where that is not wanted.
  CudaItemGradient zero_item_gradient() const;
  void add(const CudaItemGradient& items, std::vector<RegionGradient>& total) const;
  void add_pull_back(In x, In direction, std::vector<RegionGradient>& total, CudaItemGradient& items) const;
  void add_rest_pull_back(In x, In direction, In rest, Out y) const;
  void add_carried_pull_back(In x, In direction, Out previous, CudaHistory& history) const;
  void add_history_pull_back(In x, const CudaHistory& bars, std::vector<RegionGradient>& total, CudaItemGradient& items,
                             Out y, Out previous, CudaHistory& history, device::CudaVector* rest_shape) const;
  void add_full_hessian_vector(In x, In direction, Out y) const;

  // Of the host's contacts and ties; there have to be some.
  CudaWatchedNodes& touching_nodes() const { return *touching_nodes_; }
  // A solve in two halves, half-way vectors by pivots and three scalars each; and A^-1 between contacts by those.
  void forward(In r, device::CudaVector& half) const;
  void backward(const device::CudaVector& half, Out z) const;
  device::CudaVector half_vector() const { return {algebra_, compact_.size()}; }
  contact::CudaCondensedMatrix& between_contacts() const { return *between_contacts_; }
  const device::CudaArray& inertia() const { return inertia_; }     // of the step, one a node, kg/s^2
  const device::CudaArray& diagonal() const { return *diagonal_; }  // of A, likewise
  device::CudaAlgebra& algebra() const { return *algebra_; }
  CudaCg& conjugate_gradients() const { return *cg_; }
  const std::shared_ptr<device::CudaAlgebra>& algebra_of_vectors() const { return algebra_; }

 private:
  void gather_rows(In r) const;  // into compact_
  void scatter_rows(Out z) const;
  void follow_values();          // inertia and A, where they have changed
  void follow_preconditioner();  // what belongs to A besides its factor

  std::shared_ptr<device::CudaAlgebra> algebra_;
  std::unique_ptr<CudaCg> cg_;
  const Objective* objective_;
  std::span<const RegionKernels> kernels_;
  std::span<const std::size_t> damped_;
  const Preconditioner* preconditioner_;
  std::uint64_t entered_ = 0, inertia_changes_ = 0;  // the step that was taken over, and its inertia
  int factorization_ = 0;                            // the one that factor_ is of, or goes with, 0: there is none
  int preconditioner_of_ = 0;                        // the one that all else is of that belongs to A
  mutable std::vector<CudaRegion> regions_;
  CudaKeptFactor own_, of_worlds_;                    // they stay while others are in use
  std::shared_ptr<factor::CudaFactor> factor_;        // in use: own_, or one that is shared
  std::unique_ptr<CudaDeflation> deflation_;          // null: A alone preconditions H
  std::unique_ptr<CudaWatchedNodes> touching_nodes_;  // null where there are no contacts
  std::unique_ptr<contact::CudaCondensedMatrix> between_contacts_;
  device::CudaArray inertia_;
  std::shared_ptr<const device::CudaArray> diagonal_, rows_;
  device::CudaVector previous_;
  mutable device::CudaVector compact_, linearised_;
  mutable derive::Quantity product_ = derive::Quantity::hessian_vector;
  mutable std::unique_ptr<CudaSingle> single_;  // null: products are in double precision
};

// As CudaObjective::exact_hessian_product, of either place.
inline void exact_hessian_product(const Objective& objective, std::span<const double> direction, std::span<double> y) {
  objective.hessian_product(direction, y);
}
inline void exact_hessian_product(const CudaObjective& objective, CudaObjective::In direction, CudaObjective::Out y) {
  objective.exact_hessian_product(direction, y);
}
inline double product_rounding(const Objective&) { return 0; }
inline double product_rounding(const CudaObjective& objective) { return objective.product_rounding(); }

}  // namespace proxima::solve
