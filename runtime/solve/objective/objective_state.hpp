// What an Objective keeps: the regions with their kernels, mass, held nodes, the matrix A, and what the step entered
// sees.
#pragma once

#include "runtime/solve/objective/contacts.hpp"
#include "runtime/solve/objective/controls.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"
#include "runtime/solve/objective/hessian.hpp"
#include "runtime/solve/objective/objective.hpp"
#include "runtime/solve/precondition/deflation.hpp"
#include "runtime/solve/precondition/preconditioner.hpp"
#include "runtime/solve/region/region.hpp"

namespace proxima::solve {

struct Objective::State {
  State(const model::Model& model, jit::Engine& engine, factor::Storage storage, int slow_modes,
        const Preconditioner* like);

  // See Objective. Throws std::logic_error when the history has another size than that of the regions, or there are
  // values for another number of driven parameters.
  void enter_step(const StepInputs& inputs);
  void enter_values(double time, double effective_step, std::span<const double> driven);
  // What both do besides; whether A was built anew, which may leave the regions in a step at rest.
  bool enter_time(double effective_step, std::span<const double> driven);
  // Driven parameters get what the model has for them.
  void enter_regions(const StepInputs& inputs);
  void drive(std::span<const double> driven);
  std::size_t model_regions() const { return regions.size() - damped.size(); }
  // Whether the mass or the rest shape has changed, and with it A.
  bool set_values(const model::Model& model);
  void set_rest_scales(const model::Model& model);
  void set_mass();     // from the densities
  void set_inertia();  // of the step entered
  // I for steps of this effective length, without regard to what is held.
  std::vector<double> inertia_of(double effective_step) const;
  std::vector<double> wanted_weights() const;  // of A by the present parameters: one an element, region after region
  void build();                                // A and its factor, and the deflation where the step is the model's
  // Throws Error: A is not positive definite there.
  [[noreturn]] void refuse(std::size_t node, std::span<const double> of_inertia) const;
  void assemble(std::span<const double> x, std::span<const double> of_inertia);  // H
  // From the Hessian at rest. Leaves the regions in a step at rest.
  void build_deflation();
  bool deflates() const { return deflation && matrix_step == model_step; }

  std::vector<char> held;  // one a node
  std::vector<std::size_t> held_nodes;
  bool has_inertia;
  double model_step, step = 0, matrix_step = 0;  // effective, s: the model's, that of the step entered, A's
  std::vector<RegionKernels> regions;  // the model's, then one of dissipation for each that has damping by stiffness
  std::vector<std::size_t> damped;     // of which region each of those is
  Controls controls;
  Contacts contacts;
  model::Lumping lumping;
  mesh::Mesh mesh;
  std::vector<model::NodalVolume> nodal_volume;
  std::vector<double> densities, mass_damping;  // one a region
  std::vector<double> mass, drag, inertia;      // kg; kg/s; of the step entered, kg/s^2, zero on held nodes
  Preconditioner preconditioner;
  std::optional<Hessian> hessian;                               // once it has been asked for
  std::vector<double> linearised;                               // where H is wanted
  derive::Quantity product = derive::Quantity::hessian_vector;  // and which: exact, or filtered
  int products = 0;                                             // with it so far
  int products_before_assembly;
  int slow_modes;                      // to be deflated, 0: A alone preconditions H
  std::optional<Deflation> deflation;  // for the model's step; none where it is not wanted or not usable
  bool has_rest_stiffness = false;     // the deflation is of the present parameters, or known not to be usable
  std::vector<double> initial_history;
  std::vector<double> previous;         // positions where the step entered starts
  std::vector<double> weights, scales;  // one an element: w that A was built with, and what makes it an energy
  double stiffness_volume = 0;
  int factorizations = 0;
  std::uint64_t entered = 0, inertia_changes = 0;  // steps so far, and other inertias
  std::unique_ptr<CudaObjective> gpu;              // where a GPU is used
};

}  // namespace proxima::solve
