// Of the optimize.variables of a scene those that are no plain parameter: inputs of other kinds, and key frames.
#pragma once

#include <string>
#include <vector>

#include "apps/proxima/problem.hpp"
#include "runtime/optimize/design.hpp"

namespace proxima::app {

struct NamedVariable {
  std::string name;  // for reports: "E", "E[soft]", "fibre.x"
  optimize::Variable variable;
};

// `name`, with the materials that were chosen: "E[soft+hard]".
std::string label(const std::string& name, const model::VariableChoice& choice);

// Scale, bounds and start of any.
optimize::Variable bounded_variable(const model::VariableChoice& choice);

// Whether a variable is for this region's material.
bool is_for(const model::VariableChoice& choice, const model::Region& region);

// For one that has `input`. Throws Error naming `where`, the scene's file and the place of the variable, for an entry,
// a key or a component that there is not.
std::vector<NamedVariable> input_variables(const Problem& problem, const model::VariableChoice& choice,
                                           const std::string& where);

// The keys of a parameter that these regions have by key frames.
optimize::Variable key_variable(const Problem& problem, const model::VariableChoice& choice,
                                std::vector<std::size_t> regions, const std::string& where);

}  // namespace proxima::app
