// What one implicit step minimises, as far as it depends on x alone, and its derivatives, from compiled kernels:
//   sum_e V_e Psi_e(F_e(x); theta_e)   and   the inertia I = (M + h D)/h^2, D = sum of mass damping times mass,
// where the sum is over the quadrature points of all elements of all regions, an energy of dissipation counts h times
// and h is the effective step of the integrator (model::IntegratorRow); I is zero in quasi-static models. Damping by
// stiffness is such an energy (derive::rayleigh_dissipation). Also owns the
// matrix of projective dynamics A = I + sum_e w_e V_e G_e^T G_e (free nodes only) for the model's step, or much shorter
// sub-steps, and its factor. Vectors have 3 scalars a node, interleaved, all nodes; entries of held nodes are zero in
// gradients and directions. Results do not depend on the number of threads, to the last bit. Calls use buffers of the
// object: make one Objective for each thread of callers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/device/aligned.hpp"
#include "runtime/factor/factor.hpp"
#include "runtime/model/model.hpp"
#include "runtime/solve/precondition/shared_solve.hpp"
#include "runtime/solve/region/element_state.hpp"
#include "runtime/solve/region/region_gradient.hpp"
#include "runtime/solve/region/step_inputs.hpp"

namespace proxima::device {
class CudaEngine;
}

namespace proxima::solve {

class Contacts;        // contacts.hpp
class Controls;        // controls.hpp
class CudaObjective;   // cuda_objective.hpp
class Deflation;       // deflation.hpp
class Preconditioner;  // preconditioner.hpp

// A quadrature point of an element: item `item` of region `region`.
struct ElementPoint {
  std::size_t region = 0, item = 0;
  bool operator==(const ElementPoint&) const = default;
};

// Value of the elastic energy and where it is not finite, if it is not: outside the domain of that element's energy.
struct ElasticEnergy {
  double value = 0;  // J
  std::optional<ElementPoint> outside{};
};

// The dual variable u of alternating directions at every quadrature point, region by region; empty for regions that
// take no proximal step but pull with their gradient: stencils, and energies without stiffness at rest.
using ProximalDual = std::vector<device::AlignedVector<double>>;

class Objective {
 public:
  // Solvers are written once for what lives here and for what lives on a GPU (CudaObjective): the vectors that they
  // own, and how they are handed over.
  using Vector = std::vector<double>;
  using In = std::span<const double>;
  using Out = std::span<double>;
  using Dual = ProximalDual;
  Vector vector() const { return Vector(3 * nodes()); }  // of zeros

  // Throws Error for what model::validate refuses.
  // `slow_modes`: how many the preconditioner of H deflates (deflation.hpp; 12 serve well), 0: it is A alone. `like`:
  // the factor of A is shared with this one as long as both have the same A; for worlds (worlds.hpp).
  Objective(const model::Model& model, jit::Engine& engine, factor::Storage storage = factor::Storage::fp32,
            int slow_modes = 0, const Objective* like = nullptr);
  ~Objective();

  // From now on steps and their adjoints run on the GPU of `engine`, which must stay alive; what is asked of this
  // object is found on the host. Throws Error where the GPU has no memory for it.
  void use(device::CudaEngine& engine);
  CudaObjective* gpu() const;  // null: nothing does

  std::size_t nodes() const;
  bool held(std::size_t node) const;
  std::span<const double> mass() const;  // kg, one a node
  std::size_t regions() const;
  // Mass is the sum of density times this over the regions; empty where a region has no density.
  const model::NodalVolume& nodal_volume(std::size_t region) const;

  // What the model's controllers set, and its adjoint. Their parameters may be replaced.
  const Controls& controls() const;
  Controls& controls();

  // What touches what. Their values are those of the model.
  const Contacts& contacts() const;

  // Holds until the next call; before the first one it is time 0, the model's step, initial positions and history, and
  // what regions have for driven parameters.
  // Const since it only fills buffers.
  void enter_step(const StepInputs& inputs) const;
  // The same of a body elsewhere (CudaObjective), which keeps `previous` and `history`.
  void enter_values(double time, double step, std::span<const double> driven) const;
  std::uint64_t entered() const;          // steps so far
  std::uint64_t inertia_changes() const;  // likewise; another number where masses have changed, too
  // I of the step entered, kg/s^2, one a node, zero on held ones.
  std::span<const double> inertia() const;
  std::span<const double> previous() const;  // x* of the step entered
  // The history variables at the end of the step entered, by each energy's update rules at x.
  std::vector<double> next_history(std::span<const double> x) const;
  // Takes the values of a model that differs from the one it was made for in values only: parameters (one or one an
  // element), signals, directions, densities, damping, rest positions, parameters of controllers. Builds A anew for
  // them, so that the last bits of what follows do not depend on which values were set before. After it a step has to
  // be entered. Throws Error for a value that model::validate refuses; some may then be the new ones.
  void set_values(const model::Model& model);

  // All but inertia: the energies of all elements, those of dissipation times h.
  ElasticEnergy elastic_energy(std::span<const double> x) const;
  // The same, its gradient added to y (N) as add_elastic_gradient does; y is no number that means anything where the
  // energy is not finite. Costs no more than one of the two.
  ElasticEnergy elastic_energy_and_gradient(std::span<const double> x, std::span<double> y) const;
  // Without those of dissipation and the potentials of loads, J.
  double stored_energy(std::span<const double> x) const;
  // Sum over elements of energy(x1) - energy(x0), subtracted element by element so that small steps keep their digits.
  ElasticEnergy elastic_difference(std::span<const double> x0, std::span<const double> x1) const;
  void add_elastic_gradient(std::span<const double> x, std::span<double> y) const;  // N
  ElementState element_state(std::span<const double> x) const;
  // Of the stored energies on all nodes, held ones too: 3 a node, N.
  std::vector<double> elastic_forces(std::span<const double> x) const;

  // y <- H direction, H = I + elastic Hessian at x, restricted to free nodes (direction must be zero on held ones): one
  // product, by kernels that compute what they need of H on the way.
  // `product`: Quantity::hessian_vector, or a filtered one, which replaces negative eigenvalues of the second
  // derivative by the strain at each quadrature point; the same below.
  void hessian_vector(std::span<const double> x, std::span<const double> direction, std::span<double> y,
                      derive::Quantity product = derive::Quantity::hessian_vector) const;
  // The same many times at one x, which holds until the next call or step: from the product on where it pays, the exact
  // H is assembled.
  void linearise(std::span<const double> x, derive::Quantity product = derive::Quantity::hessian_vector) const;
  void hessian_product(std::span<const double> direction, std::span<double> y) const;
  void clear_held(std::span<double> y) const;

  // Throws Error naming an energy that is not finite at x and has no proximal step.
  void require_proximal_step(std::span<const double> x) const;
  ProximalDual zero_dual() const;
  ProximalDual equilibrium_dual(std::span<const double> x) const;  // P(F)/w, where x is in the domain
  // p = prox(F(x) + u), u += F - p; y += sum of w V G^T (F - p + u), w those of A. N.
  void add_proximal_force(std::span<const double> x, ProximalDual& dual, std::span<double> y) const;

  // Pull-backs: derivatives of direction . dE/dx at x, E all but inertia as in the step entered, by everything else
  // that it depends on; all nodes count, held ones too. This adds those by the values of each region of the model (but
  // density and damping by mass).
  void add_pull_back(std::span<const double> x, std::span<const double> direction,
                     std::vector<RegionGradient>& total) const;
  // By the rest positions, 3 a node. Throws Error naming the material that has none (Objective::require_rest_gradient).
  void add_rest_pull_back(std::span<const double> x, std::span<const double> direction, std::span<double> y) const;
  void require_rest_gradient() const;
  // By the positions where the step starts (x*), and by the history it starts with.
  void add_carried_pull_back(std::span<const double> x, std::span<const double> direction, std::span<double> previous,
                             std::span<double> history) const;
  // Of bars . next_history(x): by x, and by all that it depends on; `history`: by the one the step starts with;
  // `rest_shape`: by the rest positions, none where that is not wanted.
  void add_history_pull_back(std::span<const double> x, std::span<const double> bars,
                             std::vector<RegionGradient>& total, std::span<double> y, std::span<double> previous,
                             std::span<double> history, std::span<double> rest_shape) const;
  // y += sum over regions and nodes of bars[region][node] times the derivative of nodal_volume(region) by the rest
  // positions, 3 a node.
  void add_volume_pull_back(const std::vector<std::vector<double>>& bars, std::span<double> y) const;
  // The elastic Hessian at x applied to a direction, on all nodes.
  void add_full_hessian_vector(std::span<const double> x, std::span<const double> direction, std::span<double> y) const;

  const Preconditioner& preconditioner() const;  // A
  // Applies A^-1 with other worlds (worlds.hpp), until A is built anew; null: no longer.
  void share(SharedSolve::Seat* seat);
  // z <- A^-1 r on free nodes, zero on held ones.
  void precondition(std::span<const double> r, std::span<double> z) const;
  // z <- M r with the preconditioner of the H that was assembled last, symmetric positive definite: A^-1 between
  // smoothing and with the slow modes deflated. One application of A^-1.
  void precondition_hessian(std::span<const double> r, std::span<double> z) const;
  const Deflation* deflation() const;  // M of the step entered; null: A^-1 alone

  // Which operator of the author's file makes the energy, or the forces, no number there: "log of -0.31 at
  // neo_hookean.cpp:14"; "" where both are finite.
  std::string trace(const ElementPoint& point, std::span<const double> x) const;
  // A point whose forces are not finite, by the interpreter.
  std::optional<ElementPoint> find_infinite_force(std::span<const double> x) const;
  // "tet 12 (centroid at rest ..., principal stretches ...)" for messages, and the point whose product of stretches is
  // least of all.
  std::string describe(const ElementPoint& point, std::span<const double> x) const;
  ElementPoint most_compressed(std::span<const double> x) const;

  // What rounding of positions alone can do to a gradient and to an energy difference, for tests of convergence:
  // |diag(A) x| times the machine epsilon (N), and the sum of w V times it (J).
  double gradient_rounding(std::span<const double> x) const;
  double energy_rounding() const;

  // The weight w of the region's first element, Pa for a solid (2 mu + lambda of an isotropic energy).
  double rest_stiffness(std::size_t region) const;
  const factor::FactorStatistics& factor_statistics() const;
  int factorizations() const;  // so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::solve
