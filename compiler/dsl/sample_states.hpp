// States at which formulas are tried out when an energy is defined. Internal to this room.
#pragma once

#include <vector>

#include "compiler/dsl/tracing.hpp"

namespace proxima::dsl {

using Numbers = std::vector<long double>;

// A few strains far from each other and from rest, in which stretches differ.
std::vector<Numbers> strain_states(const Trace& trace);

// All slots of the trace, with that strain; parameters and histories at their defaults, or moved away from them.
Numbers slots_of(const Trace& trace, const Numbers& strain, bool moved);

}  // namespace proxima::dsl
