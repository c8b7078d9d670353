// The incremental potential of one implicit Euler step and its derivatives, from compiled kernels:
//   g(x) = 1/(2 h^2) |x - y|^2_M + sum_e V_e Psi_e(F_e(x); theta_e),   y = x_n + h v_n + h^2 M^-1 f_ext.
// Also owns the matrix of projective dynamics A = M/h^2 + sum_e w_e V_e G_e^T G_e (free nodes only) and its factor.
// Vectors have 3 scalars a node, interleaved, all nodes; entries of held nodes are zero in gradients and directions.
// Results do not depend on the number of threads, to the last bit. Calls use buffers of the object: make one Objective
// for each thread of callers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/factor/factor.hpp"
#include "runtime/model/model.hpp"

namespace proxima::solve {

// Value of the elastic energy and whether every element was inside the energy's domain (finite value).
struct ElasticEnergy {
  double value = 0;           // J
  std::int32_t outside = -1;  // a tet of the mesh whose energy is not finite, or -1
};

// First Piola-Kirchhoff stress (Pa, 9 a tet, row by row) and energy density (J/m^3, 1 a tet).
struct ElementState {
  std::vector<double> stress, density;
};

class Objective {
 public:
  // Throws Error for what model::validate refuses.
  Objective(const model::Model& model, jit::Engine& engine, factor::Storage storage = factor::Storage::fp32);
  ~Objective();

  std::size_t nodes() const;
  bool held(std::size_t node) const;
  std::span<const double> mass() const;  // kg, one a node
  double time_step() const;              // s
  std::size_t regions() const;
  // Volume of the region that each node carries, m^3: mass is the sum of density times this over the regions.
  std::span<const double> nodal_volume(std::size_t region) const;

  // Replaces parameter values (same shape as model.regions[r].parameters, or per element where it was one value and the
  // other way round) and densities. Rebuilds A only when a weight has changed by more than a factor of 2 or a density
  // has changed: A is a preconditioner, not the model. After an Error some regions may have their new values.
  void set_parameters(const std::vector<std::vector<std::vector<double>>>& parameters,
                      const std::vector<double>& densities);

  // Elastic part alone.
  ElasticEnergy elastic_energy(std::span<const double> x) const;
  // Sum over elements of energy(x1) - energy(x0), subtracted element by element so that small steps keep their digits.
  ElasticEnergy elastic_difference(std::span<const double> x0, std::span<const double> x1) const;
  void add_elastic_gradient(std::span<const double> x, std::span<double> y) const;  // N
  void add_elastic_hessian_vector(std::span<const double> x, std::span<const double> direction,
                                  std::span<double> y) const;
  ElementState element_state(std::span<const double> x) const;

  // y <- H direction, H = M/h^2 + elastic Hessian at x, restricted to free nodes (direction must be zero on held ones).
  void hessian_vector(std::span<const double> x, std::span<const double> direction, std::span<double> y) const;
  void clear_held(std::span<double> y) const;

  // For each region and parameter: sum over its elements (one value) or each element's d/dtheta of V <P(F),
  // dF(direction)>.
  std::vector<std::vector<std::vector<double>>> pull_back(std::span<const double> x,
                                                          std::span<const double> direction) const;

  // z <- A^-1 r on free nodes, zero on held ones.
  void precondition(std::span<const double> r, std::span<double> z) const;

  // What rounding of positions alone can do to a gradient and to an energy difference, for tests of convergence:
  // |diag(A) x| times the machine epsilon (N), and the sum of w V times it (J).
  double gradient_rounding(std::span<const double> x) const;
  double energy_rounding() const;

  const factor::FactorStatistics& factor_statistics() const;
  int factorizations() const;  // so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::solve
