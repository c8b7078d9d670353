// What an Objective keeps: the regions with their kernels, mass, held nodes, the matrix A, and what the step entered
// sees.
#pragma once

#include "runtime/solve/objective.hpp"
#include "runtime/solve/preconditioner.hpp"
#include "runtime/solve/region.hpp"

namespace proxima::solve {

struct Objective::State {
  State(const model::Model& model, jit::Engine& engine, factor::Storage storage);

  // See Objective. Throws std::logic_error when the history has another size than that of the regions.
  void enter_step(double time, std::span<const double> at_start, std::span<const double> history);
  void set_mass();                             // from the densities
  std::vector<double> wanted_weights() const;  // of A by the present parameters: one an element, region after region
  void build();                                // A and its factor

  std::vector<char> held;  // one a node
  std::vector<std::size_t> held_nodes;
  double time_step;
  std::vector<RegionKernels> regions;
  mesh::TetMesh mesh;
  std::vector<std::vector<double>> nodal_volume;
  std::vector<double> densities;
  std::vector<double> mass, inertia;  // kg; m/h^2
  Preconditioner preconditioner;
  std::vector<double> previous;         // positions at the start of the step
  std::vector<double> weights, scales;  // one an element: w that A was built with, and what makes it an energy
  double stiffness_volume = 0;
  int factorizations = 0;
};

}  // namespace proxima::solve
