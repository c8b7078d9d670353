// argmin psi(x) + w/2 |x - target|^2 as a loop of Newton steps. Internal to this room.
#pragma once

#include <functional>

#include "compiler/derive/potential.hpp"

namespace proxima::derive {

struct ProximalPoint {
  Expressions x;
  ir::Expression iterations, residual, pivot;  // see local_step.hpp
};

// From `start`, where psi must be finite. All nodes are of `graph`. The result has no derivative.
ProximalPoint proximal_point(ir::Graph& graph, const Potential& psi, const Expressions& target, ir::Expression weight,
                             const Expressions& arguments, const Expressions& start);

// Where to start: the target, or of the points on the way from it to `undeformed`, in halves, the first after which
// psi(x) + w/2 |x - target|^2 does not decrease any more. So a target outside the domain, or in it by a hair, is left
// for a point well inside.
Expressions start_in_domain(ir::Graph& graph, const Potential& psi, const Expressions& target, ir::Expression weight,
                            const Expressions& arguments, const Expressions& undeformed);

// The target itself, but make(target, arguments) where psi is large there, or not finite: then a start on the way to it
// may be better. Made in the body of a loop, which is entered only for elements that need it.
using Undeformed = std::function<Expressions(const Expressions& target, const Expressions& arguments)>;
Expressions undeformed_where_large(ir::Graph& graph, const Potential& psi, const Expressions& target,
                                   ir::Expression weight, const Expressions& arguments, const Undeformed& make);

}  // namespace proxima::derive
