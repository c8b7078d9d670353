// Contacts whose state is settled: what sticks cannot move; what slips keeps its gap, pulls along a direction that is
// known, and resists being turned. The linear systems of Newton's method on the condensed problem, on a whole step, and
// of the adjoint have these forces in common. Where D is stored they are decomposed (decomposed_face.hpp), else
// iterated (iterated_face.hpp) until that has taken as long as decomposing them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/contact/decomposed_face.hpp"

namespace proxima::contact {

struct FaceSettings {
  double tolerance = 1e-10;  // of what is iterated: a face that is applied again and again has to be the same each time
  // Rows of slipping contacts that are decomposed as a whole.
  std::size_t most_decomposed = most_rows_decomposed;
};

class Face {
 public:
  // Of as many contacts as D has rows; only what is not open is looked at. Keeps no reference to D, but to what that is
  // made of.
  Face(const CondensedMatrix& D, std::vector<FaceContact> contacts, const FaceSettings& settings = {});
  ~Face();
  Face(Face&&) noexcept;
  Face& operator=(Face&&) noexcept;

  // Null where it is iterated.
  const DecomposedFace* decomposed() const;
  bool exists() const;  // where it is decomposed: whether there are such decompositions
  std::span<const FaceContact> contacts() const;
  // Whether forces and what is fixed are the same directions, so that the systems are symmetric.
  bool symmetric() const;
  // The forces F, 3 scalars a contact, zero of open ones, after which u - D F is what is prescribed, zero, or what the
  // force along `turn` goes with. What cannot be iterated, or has been for so long that decomposing it would have cost
  // no more, is decomposed, once and for all; no numbers where there is no decomposition.
  void forces(std::span<const double> u, std::span<double> result) const;
  // The same where what slips is fixed and turned as `now` says, its derivative staying that of contacts().
  void forces(std::span<const double> u, std::span<const FaceContact> now, std::span<double> result) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::contact
