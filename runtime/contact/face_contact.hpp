// Contacts whose state is settled, and the unknowns that their linear systems have: three of one that sticks, one or
// two of one that slips.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/condensed_matrix.hpp"
#include "runtime/contact/friction_cone.hpp"
#include "runtime/contact/slip_system.hpp"

namespace proxima::contact {

// Of a contact that slips: `fixed` . u is prescribed, u what it moves by, and a force along `force` sees to that;
// across it, along the unit vector `turn`, the force is u . turn / compliance.
struct FaceContact {
  model::ContactState state = model::ContactState::open;
  Vector3 fixed{}, force{}, turn{};
  double compliance = 0;  // m/N; not finite: there is no force along `turn`
};

// What slips under the trial force t, whose normal part is pressed; d: the contact's diagonal entry of D, m/N. The
// force is a multiple of n + w, where w is the edge of the cone that t belongs to, and of the edge's tangent, along
// which (1 - turn) d f.tangent + turn s.tangent = 0 (slip_direction in friction_cone.hpp).
FaceContact sliding(const FrictionCone& cone, const Vector3& t, double d);

// Of D's diagonal: contacts that say the same twice make D singular, and their forces are shared somehow.
inline constexpr double face_regularisation = 1e-10;

// The contacts of a face by their states, and the rows of those that slip, numbered as in `slip`.
struct FaceRows {
  FaceRows(std::span<const FaceContact> contacts, const CondensedMatrix& D);
  std::vector<std::size_t> stick{}, slip{};
  std::vector<SlipRow> rows{};
  double sticking_own = 0;  // what is added to the diagonal of what sticks, m/N
};

}  // namespace proxima::contact
