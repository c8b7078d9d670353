// What local steps and their adjoints share. Internal to this room.
#pragma once

#include <optional>

#include "compiler/derive/local_step.hpp"
#include "compiler/derive/potential.hpp"

namespace proxima::derive {

struct LocalStepFields {
  const ir::Energy& energy;
  Arguments arguments;
  Nodes p, p_bar;         // of adjoints
  ir::Expression weight;  // not of the projective form

  Expressions potential_arguments(ir::Graph& graph) const {
    return derive::potential_arguments(energy, graph, arguments);
  }
};
LocalStepFields declare_local_step(KernelBuilder& builder, const ir::Energy& energy, LocalForm form,
                                   const std::vector<bool>& per_element, bool adjoint);

const char* name_of(LocalForm form);

// Throw Error.
void check_projective(const ir::Energy& energy);
void check_proximal(const ir::Energy& energy);

// The energy as a function of the principal stretches, if it is isotropic. Arguments as of strain_potential.
std::optional<Potential> principal_potential(const ir::Energy& energy);

}  // namespace proxima::derive
