#include "compiler/check/kernel_list.hpp"

#include <utility>

namespace proxima::check {
namespace {

using derive::Quantity;

struct Row {
  Quantity quantity;
  const char* name;
  const char* title;
};
constexpr Row element_rows[] = {
    {Quantity::energy, "energy", "energy"},
    {Quantity::forces, "forces", "forces"},
    {Quantity::energy_forces, "energy_forces", "energy and forces"},
    {Quantity::hessian_vector, "hessian_vector", "Hessian-vector product"},
    {Quantity::hessian_vector_clamped, "hessian_vector_clamped", "Hessian-vector product, clamped"},
    {Quantity::hessian_vector_absolute, "hessian_vector_absolute", "Hessian-vector product, absolute"},
    {Quantity::hessian, "hessian", "Hessian by the strain"},
    {Quantity::pull_back, "pull_back", "pull-back to parameters and directions"},
    {Quantity::rest_pull_back, "rest_pull_back", "pull-back to the rest shape"},
    {Quantity::carried_pull_back, "carried_pull_back", "pull-back to the previous step"},
    {Quantity::state, "state", "stress and density, for output"},
    {Quantity::history_update, "history_update", "histories after a step"},
    {Quantity::history_pull_back, "history_pull_back", "pull-back of the histories"},
};
constexpr Row strain_rows[] = {
    {Quantity::energy, "strain_energy", "energy of a strain"},
    {Quantity::forces, "stress", "stress"},
    {Quantity::hessian_vector, "stress_vector", "change of stress along a change of strain"},
};

}  // namespace

derive::Shape shape_of(const ir::Energy& energy) {
  switch (energy.measure) {
    case ir::Measure::deformation_gradient:
      return {4, 3};
    case ir::Measure::surface_deformation_gradient:
      return {3, 2};
    case ir::Measure::edge_vector:
      return {2, 1};
    case ir::Measure::node_positions:
      break;
  }
  return {energy.stencil, 0};
}

std::string name_of(const derive::Shape& shape) {
  static constexpr const char* names[] = {"stencil", "edge", "triangle", "tetrahedron"};
  return names[shape.dimension];
}

std::vector<NamedKernel> element_kernels(const ir::Energy& energy) {
  std::vector<NamedKernel> kernels;
  const std::vector<bool> uniform(energy.parameters.size(), false);
  for (const auto& [quantity, name, title] : element_rows) {
    if (quantity == Quantity::history_pull_back && energy.find(ir::InputKind::history) == nullptr) continue;
    ir::Kernel kernel = derive::element_kernel(energy, quantity, shape_of(energy), uniform);
    if (!kernel.outputs.empty()) kernels.push_back({name, title, std::move(kernel)});
  }
  return kernels;
}

std::vector<LocalForm> local_forms(const ir::Energy& energy) {
  constexpr std::uint32_t most_components = 12;  // of a proximal step
  std::vector<LocalForm> forms;
  if (energy.projection)
    forms.push_back({derive::LocalForm::projective, "projective_step", "projective local step",
                     "projective_step_adjoint", "adjoint of the projective step", false});
  forms.push_back({derive::LocalForm::explicit_, "explicit_step", "explicit local step", "explicit_step_adjoint",
                   "adjoint of the explicit step", false});
  if (energy.strain_components() <= most_components)
    forms.push_back({derive::LocalForm::proximal, "proximal_step", "proximal local step", "proximal_step_adjoint",
                     "adjoint of the proximal step", true});
  return forms;
}

std::vector<NamedKernel> local_kernels(const ir::Energy& energy) {
  std::vector<NamedKernel> kernels;
  const std::vector<bool> uniform(energy.parameters.size(), false);
  for (const LocalForm& form : local_forms(energy)) {
    kernels.push_back({form.name, form.title, derive::local_step(energy, form.form, uniform)});
    kernels.push_back({form.adjoint_name, form.adjoint_title, derive::local_step_adjoint(energy, form.form, uniform)});
  }
  return kernels;
}

std::vector<NamedKernel> run_kernels(const ir::Energy& energy) {
  auto kernels = element_kernels(energy);
  for (NamedKernel& kernel : local_kernels(energy)) kernels.push_back(std::move(kernel));
  return kernels;
}

std::vector<NamedKernel> strain_kernels(const ir::Energy& energy) {
  std::vector<NamedKernel> kernels;
  for (const auto& [quantity, name, title] : strain_rows)
    kernels.push_back({name, title, derive::strain_kernel(energy, quantity)});
  return kernels;
}

}  // namespace proxima::check
