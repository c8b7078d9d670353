// One energy on the elements of one region: launching its compiled kernels at a state and summing element results in
// fixed order. Knows neither mass nor which nodes are held; of time only what a step sets.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "compiler/derive/derive.hpp"
#include "compiler/jit/jit.hpp"
#include "runtime/solve/region/element_set.hpp"
#include "runtime/solve/region/element_state.hpp"
#include "runtime/solve/region/region_gradient.hpp"
#include "runtime/solve/region/step_inputs.hpp"

namespace proxima::solve {

// Kernels are compiled when they are first needed. Calls use buffers of the object: one thread of callers at a time.
class RegionKernels {
 public:
  RegionKernels(const model::Model& model, const model::Region& region, jit::Engine& engine);

  // The parameters, signals and directions of a region that differs from this one in values only. Throws Error where a
  // parameter is outside its open interval.
  void set_values(const model::Region& region);
  void set_rest(std::span<const mesh::Vector3> nodes) { set_.set_rest(nodes); }
  // The fields that rest_pull_back alone asks for.
  void set_own_coordinates() { set_.set_own_coordinates(); }

  // What a step sees beside x, but for driven parameters, which drive() sets after it; `previous` must stay alive until
  // the next call, `history` has history_size() numbers.
  void enter_step(const StepInputs& inputs);
  // The part of it that is numbers for the whole region: not positions and histories.
  void enter_values(double time, double step);
  void drive(std::size_t parameter, double value);
  std::size_t history_size() const;
  // The history variables after the step, by the energy's update rules at x; history_size() numbers: input after input,
  // point after point of each.
  void update_history(std::span<const double> x, std::span<double> history);

  // Whether its energy is one that the body has: neither dissipation nor the potential of a load.
  bool stores() const { return stores_; }

  const std::string& name() const { return name_; }
  // What a kernel of this energy on these elements computes; which parameters are per element decides which one it is.
  ir::Kernel kernel_graph(derive::Quantity quantity) const;
  const std::vector<bool>& per_element() const { return per_element_; }
  const ir::Energy& energy() const { return *energy_; }
  const ElementSet& set() const { return set_; }
  // The weight w(theta) of the projective-dynamics matrix, Pa (N/m for edges and stencils), one an element; never below
  // zero. Where a parameter varies in time it is taken at its largest value, where it is driven at
  // that of parameters(); dissipation counts `step` (s) times.
  std::vector<double> weights(double step) const;

  // Energies, J, one an item of the set; valid until the next call with the same `slot` (0 or 1).
  std::span<const double> energies(std::span<const double> x, int slot);
  void add_gradient(std::span<const double> x, std::span<double> y);
  // Both at once, which costs no more than one of them; the energies as those of slot 0.
  std::span<const double> energies_and_gradient(std::span<const double> x, std::span<double> y);
  // `product`: Quantity::hessian_vector, or one of its filtered ones.
  void add_hessian_vector(derive::Quantity product, std::span<const double> x, std::span<const double> direction,
                          std::span<double> y);
  // The second derivatives by the strain, as the kernel lays them out, at tiles first to last - 1 of the set alone.
  // Several threads may call the second at once, after a call of the first.
  void prepare_hessian() { kernel(derive::Quantity::hessian); }
  void hessian_of_tiles(std::span<const double> x, std::size_t first, std::size_t last, std::span<double> out) const;
  // Pull-backs: the derivatives of direction . (the gradient) at x, by everything else that it depends on. This adds
  // those by the region's values (not density and damping by mass, which are no business of an energy).
  void add_pull_back(std::span<const double> x, std::span<const double> direction, RegionGradient& total);
  // The same by parameter k, when it has been found: for the region, or for each element where per_element()[k].
  void add_parameter(std::size_t k, std::span<const double> found, RegionGradient& total) const;
  // By the rest positions of the nodes, 3 a node; `rest`: where they are.
  void add_rest_pull_back(std::span<const double> x, std::span<const double> direction, std::span<const double> rest,
                          std::span<double> y);
  // By the positions where the step starts, and by the history it starts with, where the energy depends on them.
  void add_carried_pull_back(std::span<const double> x, std::span<const double> direction, std::span<double> previous,
                             std::span<double> history);
  // The same of bars . update_history(x): by x, and by all that the update depends on. `history`: by the values before;
  // `rest_shape`: none where that is not wanted.
  void add_history_pull_back(std::span<const double> x, std::span<const double> bars, RegionGradient& total,
                             std::span<double> y, std::span<double> previous, std::span<double> history,
                             std::span<double> rest_shape);
  // Why there is no derivative by the rest shape; "" where there is one.
  std::string no_rest_gradient() const;
  // Alternating directions (admm.hpp) with the weights w of A, one an element, which are to be told first. Only where
  // all are above 0 and the strain is linear in positions by shape gradients: not for stencils. The dual u and all
  // strains are element fields of energy().strain_components().
  void set_proximal_weights(std::span<const double> weights);
  bool has_proximal_step() const { return has_proximal_step_; }
  ir::Kernel proximal_graph() const;
  device::AlignedVector<double> zero_dual() const;
  // P(F)/w at x.
  device::AlignedVector<double> equilibrium_dual(std::span<const double> x);
  // p = prox(F + u), u += F - p, y += sum of w V G^T (F - p + u).
  void add_proximal_force(std::span<const double> x, device::AlignedVector<double>& dual, std::span<double> y);
  // Where a kernel's value at an item stops being a number, in the author's lines: "log of -0.31 at
  // neo_hookean.cpp:14". By the interpreter, for messages; "" where all is finite.
  std::string trace(derive::Quantity quantity, std::size_t item, std::span<const double> x) const;
  // See add_element_state. Nothing for energies of dissipation, nor where the mesh does not list the elements.
  void add_state(std::span<const double> x, std::size_t first, ElementState& state);

 private:
  const jit::CompiledKernel& kernel(derive::Quantity quantity);
  // Nodal fields, 3 a node, that a call brings along.
  struct Nodal {
    std::span<const double> x, direction{}, rest{};
  };
  std::vector<const void*> inputs_of(const jit::CompiledKernel& kernel, const Nodal& nodal) const;
  void run(derive::Quantity quantity, const Nodal& nodal, std::span<void* const> outputs);
  // The kernel's output fields, by their names.
  using Fields = std::map<std::string, device::AlignedVector<double>>;
  Fields run_to_fields(derive::Quantity quantity, const Nodal& nodal);
  // Of the fields of a pull-back, those by parameters and directions.
  void add_values(const Fields& fields, RegionGradient& total) const;
  // Of a number that depends on the rest positions through F(x) alone, by them, y, from that by positions, an element
  // field: dX_a changes F by -F dX_a g_a^T, so that y_a = -F^T (by x_a) at each quadrature point of a solid.
  void add_rest_through_strain(std::span<const double> x, const device::AlignedVector<double>& by_positions,
                               std::span<double> y);
  // A field of this name with `components` an item, item after item, from `history` on for each that the energy has.
  void add_histories(const Fields& fields, std::span<double> history) const;

  void add_strain(std::span<const double> x, device::AlignedVector<double>& field) const;
  // y += sum of w V G^T strain.
  void add_strain_forces(const device::AlignedVector<double>& strain, std::span<double> y);

  jit::Engine* engine_;
  std::string name_;
  std::shared_ptr<const ir::Energy> energy_;
  ElementSet set_;
  device::NodeGather gather_;
  std::vector<std::vector<double>> parameters_;  // as given
  std::vector<bool> per_element_;
  std::vector<model::Signal> signals_;
  std::vector<char> driven_;
  bool stores_, has_proximal_step_ = false;
  double time_ = 0;
  std::span<const double> previous_;

  std::map<derive::Quantity, std::shared_ptr<const jit::CompiledKernel>> kernels_;
  std::shared_ptr<const jit::CompiledKernel> proximal_;
  device::AlignedVector<double> forces_, energies_[2];
};

// Throws the Error of an energy that is not finite where a step starts, and has no proximal step.
[[noreturn]] void refuse_proximal_step(const RegionKernels& region);

}  // namespace proxima::solve
