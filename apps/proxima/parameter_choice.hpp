// Of the optimize.variables of a scene those that are a parameter: of energies, or of a named function.
#pragma once

#include "apps/proxima/input_choice.hpp"

namespace proxima::app {

// Of materials' energies, or their density: one variable, or one for each material. Throws Error naming `where`, the
// scene's file and the place of the variable, for a parameter that there is not and for values that cannot be shared.
std::vector<NamedVariable> parameter_variables(const Problem& problem, const model::VariableChoice& choice,
                                               const std::string& where);

// Of the function of a controller, and of an obstacle's shape.
std::vector<NamedVariable> controller_variables(const Problem& problem, const model::VariableChoice& choice,
                                                const std::string& where);
std::vector<NamedVariable> obstacle_variables(const Problem& problem, const model::VariableChoice& choice,
                                              const std::string& where);

}  // namespace proxima::app
