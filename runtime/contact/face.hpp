// Contacts whose state is settled: what sticks cannot move; what slips keeps its gap, pulls along a direction that is
// known, and resists being turned. The linear systems of Newton's method on the condensed problem, on a whole step, and
// of the adjoint have these forces in common.
#pragma once

#include <memory>
#include <span>
#include <vector>

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

class Face {
 public:
  // D: n x n row-major, for as many contacts; only what is not open is looked at. Sticking contacts are eliminated by
  // one scalar Cholesky decomposition; the system that is left of the slipping ones is decomposed as a whole up to so
  // many rows.
  Face(std::span<const double> d, std::vector<FaceContact> contacts,
       std::size_t most_decomposed = most_rows_decomposed);
  ~Face();
  Face(Face&&) noexcept;
  Face& operator=(Face&&) noexcept;

  bool exists() const;  // whether there are such decompositions
  std::span<const FaceContact> contacts() const;
  // Whether forces and what is fixed are the same directions, so that the systems are symmetric.
  bool symmetric() const;
  // The forces F, 3 scalars a contact, zero of open ones, after which u - D F is what is prescribed, zero, or what the
  // force along `turn` goes with.
  void forces(std::span<const double> u, std::span<double> result) const;
  // The same where what slips is fixed and turned as `now` says, its derivative staying that of contacts().
  void forces(std::span<const double> u, std::span<const FaceContact> now, std::span<double> result) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::contact
