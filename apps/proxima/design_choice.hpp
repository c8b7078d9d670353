// The optimize.variables of a scene as an optimize::Design, with what a report needs to name them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/proxima/problem.hpp"
#include "runtime/optimize/design.hpp"

namespace proxima::app {

struct VariableLabel {
  std::string name;  // "E", "E[soft]", "density"
  std::optional<double> truth;
};

struct NamedDesign {
  optimize::Design design;
  std::vector<VariableLabel> labels;  // one a variable of the design
};

// Throws Error naming the scene and the variable: an unknown parameter, none to start from, a variable twice.
NamedDesign make_design(const Problem& problem);

// Gives the model and the objective the design's values at u.
void put_values(Problem& problem, const optimize::Design& design, std::span<const double> u);

// A variable's value as a report shows it: the value, or the least, mean and greatest of many.
std::string value_text(const std::vector<double>& values);

}  // namespace proxima::app
