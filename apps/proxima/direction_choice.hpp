// Of the optimize.variables of a scene those that are a direction field.
#pragma once

#include "apps/proxima/input_choice.hpp"

namespace proxima::app {

// Per element one variable of all regions' numbers; else one for each component, which the regions of a material, or
// all of them, share: "fibre.x". Throws Error naming `where`, the scene's file and the place of the variable.
std::vector<NamedVariable> direction_variables(const Problem& problem, const model::VariableChoice& choice,
                                               const std::string& where);

}  // namespace proxima::app
