// The condensed contact problem: the Signorini-Coulomb conditions of all contacts on their own Delassus operator D.
//
// Relative displacements answer forces by s = s0 + D f, with D one symmetric positive definite n x n matrix that acts
// on 3-vectors in space (m/N). Of s, the normal component is the gap and the tangential part the slip. Asked for are
// forces with, at each contact,
//   0 <= f.n  perp  s.n >= 0,   |f_t| <= mu f.n,   and f_t = -mu f.n s_t / |s_t| where s_t is not zero
// (or what an elliptic cone says in place of these). This is f_c = P(f_c - s_c / D_cc), where P is project() of
// friction_cone.hpp: it takes the normal part max(0, t.n) and cuts the tangential part off at mu times that. Since the
// blocks of D are multiples of the identity, P solves a single contact exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/contact/friction_cone.hpp"

namespace proxima::contact {

using CondensedContact = FrictionCone;
class CondensedMatrix;  // condensed_matrix.hpp

enum class CondensedStorage : std::uint8_t {
  by_size,  // stored where that is faster (measured in docs/rooms/contact.md)
  stored,
  matrix_free,
};

enum class CondensedMethod {
  gauss_seidel,        // gauss_seidel.hpp
  fischer_burmeister,  // fischer_burmeister.hpp
  splitting,           // splitting.hpp
};

struct CondensedSettings {
  CondensedMethod method = CondensedMethod::gauss_seidel;
  double tolerance = 1e-10;  // of the residual
  int max_sweeps = 1000;     // or iterations of the method
};

struct CondensedOutcome {
  bool converged = false;  // residual <= tolerance
  // The largest |f_c - P(f_c - s_c / D_cc)| over the largest of |f_c| and |P(f_c - s_c / D_cc)|.
  double residual = 0;
  int sweeps = 0, newton_steps = 0;
  std::vector<model::ContactState> states;  // of each contact
  int open = 0, stick = 0, slip = 0;
};

struct CondensedEntry {
  CondensedMethod method;
  std::string_view name, help;
  void (*run)(class CondensedPoint&, const CondensedSettings&, CondensedOutcome&);
};
std::span<const CondensedEntry> condensed_methods();
// Throws Error listing the names where there is none of this name.
CondensedMethod condensed_method_named(std::string_view name);

// D: as many rows as there are contacts; s0: three values a contact (m); f: a guess, and the forces found (N).
// Where the method does not reach the tolerance, the outcome says so and f is its best. The same bits for any number of
// threads.
CondensedOutcome solve_condensed(const CondensedMatrix& D, std::span<const CondensedContact> contacts,
                                 std::span<const double> s0, std::span<double> f, const CondensedSettings& settings);

}  // namespace proxima::contact
