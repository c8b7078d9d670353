// Replaces composite operators by what emitters know: svd, polar, eigen, the compositions and gap become arithmetic.
// What remains is simple operators, loops and parts of loops. Knows no target; the precision decides thresholds.
#pragma once

#include <cstdint>

#include "compiler/emit/target.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::emit {

// `kept`: svd, polar and eigen stay, for a printer that has functions for them.
enum class Decompositions : std::uint8_t { lowered, kept };

// The same kernel in those words, bodies of loops included; a kernel without composite operators is returned as it is.
// The decompositions are backward stable: each is exact for a matrix that differs from the given one by a few roundings
// of its largest entry, whatever its rank, sign and gaps, and U, V, Q and R are rotations to a few roundings.
ir::Kernel lower(const ir::Kernel& kernel, Precision precision,
                 Decompositions decompositions = Decompositions::lowered);

}  // namespace proxima::emit
