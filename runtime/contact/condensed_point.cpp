#include "runtime/contact/condensed_point.hpp"

#include <algorithm>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

using mesh::minus;
using mesh::norm;
using mesh::scaled;

CondensedPoint::CondensedPoint(const CondensedMatrix& D, std::span<const CondensedContact> contacts,
                               std::span<const double> s0, std::span<double> f)
    : D_(D), contacts_(contacts), f_(f), displacements_(D, s0) {
  for (std::size_t c = 0; c < size(); ++c) {
    const Vector3 inside = project(contacts_[c], force(c)).force;
    std::copy(inside.begin(), inside.end(), f_.begin() + static_cast<std::ptrdiff_t>(3 * c));
  }
  refresh();
}

CondensedPoint::CondensedPoint(const CondensedPoint& other, std::span<double> f) : CondensedPoint(other) {
  f_ = f;
  refresh();
}

Vector3 CondensedPoint::trial(std::size_t c) const { return minus(force(c), scaled(1 / diagonal(c), displacement(c))); }

void CondensedPoint::set_force(std::size_t c, const Vector3& force) {
  displacements_.add(c, minus(force, this->force(c)));
  std::copy(force.begin(), force.end(), f_.begin() + static_cast<std::ptrdiff_t>(3 * c));
}

void CondensedPoint::set_forces(std::span<const double> forces) {
  std::copy(forces.begin(), forces.end(), f_.begin());
  refresh();
}

double CondensedPoint::residual() {
  displacements_.settle();
  double largest = 0, scale = 0;
  for (std::size_t c = 0; c < size(); ++c) {
    const Vector3 wanted = project(contacts_[c], trial(c)).force;
    largest = std::max(largest, norm(minus(force(c), wanted)));
    scale = std::max({scale, norm(force(c)), norm(wanted)});
  }
  return scale == 0 ? 0 : largest / scale;
}

}  // namespace proxima::contact
