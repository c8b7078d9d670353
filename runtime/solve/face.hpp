// Contacts whose state is settled: what sticks cannot move; what slides keeps its gap, pulls along a direction that is
// known, and resists being turned. The saddle point systems of Newton's method and of the adjoint on such a face, with
// A in the place of H, come down to these forces.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/solve/contact_metric.hpp"

namespace proxima::solve {

// A contact that slides: `fixed` . u is prescribed, u what it moves by, and a force along `force` sees to that; across
// it, along the unit vector `turn`, the force is u . turn / compliance.
struct FaceContact {
  model::ContactState state = model::ContactState::open;
  model::Vector3 fixed{}, force{}, turn{};
  double compliance = 0;  // m/N; no number: there is no force along `turn`
};

class Face {
 public:
  Face(const ContactMetric& metric, std::vector<FaceContact> contacts);
  ~Face();
  Face(Face&&) noexcept;

  std::span<const FaceContact> contacts() const;
  // Whether forces and what is fixed are the same directions, so that the systems are symmetric.
  bool symmetric() const;
  // The forces F, 3 scalars a contact, zero of open ones, after which u - D F is what is prescribed, zero, or what the
  // force along `turn` goes with.
  void forces(std::span<const double> u, std::span<double> result) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::solve
