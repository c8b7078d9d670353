// Local steps of projective dynamics and its descendants: from the strain F of an element the point p that the global
// step draws it to, in three forms, and the adjoint of each. Formulas: Bouaziz et al., Projective Dynamics, 2014
// (projective); Liu, Bouaziz and Kavan, Quasi-Newton methods for real-time simulation of hyperelastic materials, 2017
// (explicit); Overby et al., ADMM superset projective dynamics, 2017 (proximal).
#pragma once

#include <vector>

#include "compiler/ir/energy.hpp"
#include "compiler/ir/kernel.hpp"

namespace proxima::derive {

enum class LocalForm {
  projective,  // p = the point of the manifold that is closest to F; only for energies with a projection
  explicit_,   // p = F - P(F)/w for any energy: w (F - p) is the stress
  // p = argmin Psi(p) + w/2 |F - p|^2 for any energy of at most 12 strain components: w (F - p) = P(p), the stress of
  // the Moreau envelope of Psi, which is softer than Psi itself. By Newton's method from F or, where F is outside the
  // domain of Psi, from a point on the way to the closest undeformed strain (a rotation; the rest length; the rest
  // positions). For isotropic energies in the three stretches. Where Psi + w/2 |.|^2 has several minima, one of them.
  proximal,
};

// n = energy.strain_components(); Psi stands for h R for energies of dissipation. Input fields, in this order:
//   "strain" element n; "weight" element 1: w > 0, in the density's unit over that of the squared strain (not for the
//   projective form, whose weight is the energy's own)
//   ["previous" element n: the previous strain]; ["time_step" uniform 1]; "parameter:NAME" 1 each: uniform, or element
//   where per_element[k] is set; "direction:NAME" 3, "history:NAME", ["rest_length" 1], ["rest_positions"]: element
// Output fields:
//   "p" n
//   projective: "weight" 1
//   proximal: "iterations" 1; "residual" 1: |P(p) - w (F - p)| / (|P(p)| + w (|F| + |p|)), NaN where the domain was not
//   found; "pivot" 1: the smallest pivot that LDL^T met in the last second derivative of Psi + w/2 |.|^2
// Throws Error for a projective form of an energy without projection, and a proximal one of more than 12 components.
ir::Kernel local_step(const ir::Energy& energy, LocalForm form, const std::vector<bool>& per_element);

// From the adjoint of p, those of everything it depends on. Input fields: "strain", ["p" element n: of the proximal
// form, as the step gave it], "p_bar" element n, and then those of the step from "weight" on.
// Output fields: "strain" n; "weight" 1 (not of the projective form); "parameters", one each; "direction:NAME" 3 each.
// Exact where p is; equal stretches cost no digits. Infinite or NaN where p has no derivative.
ir::Kernel local_step_adjoint(const ir::Energy& energy, LocalForm form, const std::vector<bool>& per_element);

// The energy that the proximal step is a projection of: the Moreau envelope
//   U(F) = min_p Psi(p) + w/2 |F - p|^2,   w = proximal_weight times the energy's stiffness at rest (rest_weight),
// with dU/dF = w (F - p), d2U/dF2 = w (1 - dp/dF), and derivatives by all that p and w depend on, through the weight at
// rest too. A softer material than Psi: in small motions each stiffness k becomes k w/(k + w), so that
// Psi = k/2 |F - 1|^2 with w = k has half of it. DiffPhD (eq. 13) simulates it in the place of Psi. The parameters are
// the energy's and, last, proximal_weight, dimensionless and 1 unless given. Of solids and surfaces without histories.
// Throws Error for others, and where a parameter moves a closest point inside the stiffness at rest.
ir::Energy moreau_envelope(const ir::Energy& energy);
inline constexpr const char* proximal_weight = "proximal_weight";

}  // namespace proxima::derive
