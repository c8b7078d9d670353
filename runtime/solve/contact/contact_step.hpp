// One implicit step with contact: x and forces f with
//   grad g(x) = W(x)^T f,   0 <= gap_c(x) - b_c  perpendicular to  f_c.n >= 0,
//   |tangential part of f_c| <= mu f_c.n, against the slip where there is any
// at positions (Signorini and Coulomb), g the potential of the step and b_c zero but for restitution. Two kinds of
// steps in turn, as the method has it (contact_methods.hpp), both in the metric of A:
//   a proximal step: x - A^-1 grad g(x), then the condensed problem (contact/condensed.hpp) for the forces, x moved by
//   A^-1 W^T f, and by acceleration farther. It finds what is open, sticks and slides, and then converges slowly;
//   a Newton step on the face that has been found (face.hpp), taken where it halves the residual, by itself or after
//   one or two more on the faces that it shows.
// The residual is that of both equations together, in N: |grad g - W^T f| on free nodes and, for each contact,
// |f - P(f - s/D)|, where s is what violates the law, D the contact's diagonal entry of W A^-1 W^T, and P the
// projection on the cone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/solve/contact/contact_point.hpp"
#include "runtime/solve/methods/step_settings.hpp"

namespace proxima::solve {

struct ContactOutcome {
  SolverOutcome work;  // its gradient is the residual, N
  ContactReport report;
  std::string why{};  // it was not solved, as far as that is known
};

// How good x is to start from: the forces that a proximal step from there finds, one half of an application of A^-1,
// and the residual (N) of both, not finite where g is not.
struct ContactStart {
  double residual = 0;
  double without_forces = 0;     // the residual of x alone
  std::vector<double> forces{};  // N, 3 a contact of the set as it is then
};
// To compare guesses, the forces of many contacts are found only roughly.
enum class StartForces : std::uint8_t { exact, to_compare };
template <class P>  // Potential, or CudaPotential
ContactStart start_contact(BasicContactEquations<P>& equations, typename P::System::In x, StartForces wanted);

// Lowers the residual from x, in place, and forces until it is at most `target` (N). g(x) must be finite.
template <class P>
ContactOutcome solve_contact(BasicContactEquations<P>& equations, const StepSettings& settings, double target,
                             std::vector<double> forces, typename P::System::Out x);

}  // namespace proxima::solve
