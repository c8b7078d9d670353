// The checks, one function each; checks.cpp has the table that says which measures they apply to. Internal to the room.
#pragma once

#include "compiler/check/context.hpp"

namespace proxima::check {

void check_parameters(Context& context);
void check_rest(Context& context);
void check_rotations(Context& context);
void check_isotropy(Context& context);
void check_dissipation(Context& context);
void check_growth(Context& context);
void check_softening(Context& context);
void check_domain(Context& context);
void check_derivatives(Context& context);
void check_filtered(Context& context);
void check_local_steps(Context& context);
void check_compiled(Context& context);
void check_cost(Context& context);

std::vector<Curve> curves_of(const Context& context);  // as many as the measure has; none for stencils

// Strains that rigid motions make at first, in columns: turning about each axis, and moving the nodes of a stencil.
Matrix rigid_motions(const Space& space);

}  // namespace proxima::check
