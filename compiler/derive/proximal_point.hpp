// argmin psi(x) + w/2 |x - target|^2 as a loop of Newton steps, started where psi is finite. Internal to this room.
#pragma once

#include "compiler/derive/potential.hpp"

namespace proxima::derive {

struct ProximalPoint {
  Expressions x;
  ir::Expression iterations, residual, pivot;  // see local_step.hpp
};

// In the stretches of an isotropic energy, `psi` its principal form. All nodes are of `graph`; arguments as of
// strain_potential. The result has no derivative.
ProximalPoint principal_proximal_point(ir::Graph& graph, const Potential& psi, const Expressions& stretches,
                                       ir::Expression weight, const Expressions& arguments);

// In the components of the strain.
ProximalPoint strain_proximal_point(ir::Graph& graph, const ir::Energy& energy, const Potential& psi,
                                    const Expressions& strain, ir::Expression weight, const Expressions& arguments);

}  // namespace proxima::derive
