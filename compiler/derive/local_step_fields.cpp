#include "compiler/derive/local_step_fields.hpp"

#include <array>

#include "compiler/derive/principal.hpp"
#include "compiler/support/error.hpp"

namespace proxima::derive {

using ir::Access;
using ir::Energy;

namespace {

constexpr std::uint32_t most_components = 12;

}  // namespace

LocalStepFields declare_local_step(KernelBuilder& builder, const Energy& energy, LocalForm form,
                                   const std::vector<bool>& per_element, bool adjoint) {
  const std::uint32_t n = energy.strain_components();
  LocalStepFields fields{.energy = energy, .arguments = {}, .p = {}, .p_bar = {}, .weight = {}};
  fields.arguments.strain = builder.input("strain", Access::element, n);
  if (adjoint && form == LocalForm::proximal) fields.p = builder.input("p", Access::element, n);
  if (adjoint) fields.p_bar = builder.input("p_bar", Access::element, n);
  if (form != LocalForm::projective)
    fields.weight = {&builder.graph, builder.input("weight", Access::element, 1).front()};
  if (energy.find(ir::InputKind::previous_strain) != nullptr)
    fields.arguments.previous = builder.input("previous", Access::element, n);
  declare_energy_inputs(builder, energy, per_element, Access::uniform, false, fields.arguments);
  return fields;
}

const char* name_of(LocalForm form) {
  static constexpr std::array names = {"projective", "explicit", "proximal"};
  return names.at(static_cast<std::size_t>(form));
}

void check_projective(const Energy& energy) {
  if (!energy.projection)
    fail(
        "the energy '{}' has no projective local step: it is not written as a squared distance to a manifold; use the "
        "explicit or the proximal step",
        energy.name);
}

void check_proximal(const Energy& energy) {
  if (energy.strain_components() > most_components)
    fail(
        "the energy '{}' has no proximal local step: it is a function of {} numbers, the limit is {}; use the explicit "
        "step",
        energy.name, energy.strain_components(), most_components);
}

std::optional<Potential> principal_potential(const Energy& energy) {
  if (energy.dissipation) return {};  // a function of the previous strain as well
  auto form = principal_form(energy);
  if (!form) return {};
  return Potential(std::move(form->graph), form->psi, PrincipalForm::stretches,
                   energy.slots() - energy.strain_components());
}

}  // namespace proxima::derive
