// Kernels as C functions of pointers, for one element: the printer of C is little more, and the printer of CUDA has
// such functions for decompositions. Internal to this room.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::emit {

// Names for the fields, inputs then outputs: what the author calls them ("mu" for "parameter:mu"), or the long name
// where a short one would be two fields', a function's that formulas call, or among `taken`.
std::vector<std::string> field_names(const ir::Kernel& kernel, std::vector<std::string> taken = {});

// "stable_neo_hookean_forces" for the kernel "stable_neo_hookean.forces".
std::string function_name(const ir::Kernel& kernel);

// The function `name` and a comment above it. Decompositions must be functions already, or lowered.
std::string function_text(const ir::Kernel& kernel, const std::string& name, Precision precision);

// A function for each of svd, polar and eigen that the graph uses, `qualifiers` ("static") before each.
std::string decomposition_functions(const ir::Graph& graph, Precision precision, const std::string& qualifiers);

}  // namespace proxima::emit
