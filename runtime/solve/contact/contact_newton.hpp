// Newton's step on a face, see contact_step.hpp: the linear system
//   (H - sum of f_n gap'' + friction's own stiffness) dx - W^T df = -(grad g - W^T f),   what is fixed moves to where
//   it has to be,
// by CG where it is symmetric and GMRES where contacts slide with friction, preconditioned by the same system with A in
// the place of H.
#pragma once

#include <optional>

#include "runtime/solve/contact/contact_point.hpp"
#include "runtime/solve/contact/contact_step.hpp"
#include "runtime/solve/contact/face_forces.hpp"
#include "runtime/solve/contact/face_preconditioner.hpp"

namespace proxima::solve {

// From a point, with these states of its contacts, the linear system solved to a residual of `tolerance` (N).
// `face`: of an earlier step, which serves as a preconditioner again where states and what is fixed are the same.
// Counts its work; the result's residual is not finite where there is no such point.
template <class P>  // Potential, or CudaPotential
BasicContactPoint<typename P::System> newton_step(BasicContactEquations<P>& equations,
                                                  const BasicContactPoint<typename P::System>& from,
                                                  std::span<const model::ContactState> states, double tolerance,
                                                  const SolverSettings& linear,
                                                  std::optional<FaceForces<typename P::System>>& face,
                                                  SolverOutcome& work);

}  // namespace proxima::solve
