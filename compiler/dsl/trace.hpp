// From a registered energy to its graph: runs the author's function once and keeps what it writes down.
#pragma once

#include <string>

#include "compiler/dsl/registry.hpp"
#include "compiler/ir/energy.hpp"
#include "compiler/ir/function.hpp"

namespace proxima::dsl {

// Throws Error, naming the author's file and line, for the first mistake: a parameter declared twice, without a name or
// with a default outside its bounds, a constant that is not finite, an index out of range, a value kept from another
// energy, a result that does not depend on the deformation gradient.
ir::Energy trace(const Registered& energy);

// The same of a function: an input or output given twice, a strain measure, an input or weights that reach no output.
ir::Function trace_function(const Registered& function);

// The energy or function of that name linked into this program. Throw Error when there is none, or more than one.
ir::Energy find_energy(const std::string& name);
ir::Function find_function(const std::string& name);

}  // namespace proxima::dsl
