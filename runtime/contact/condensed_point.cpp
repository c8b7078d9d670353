#include "runtime/contact/condensed_point.hpp"

#include <algorithm>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

using mesh::minus;
using mesh::norm;
using mesh::scaled;

CondensedPoint::CondensedPoint(const double* D, std::span<const CondensedContact> contacts, std::span<const double> s0,
                               std::span<double> f)
    : D_(D), contacts_(contacts), s0_(s0), f_(f) {
  for (auto& axis : s_) axis.resize(size());
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
  const Vector3 change = minus(force, this->force(c));
  const double* const row = this->row(c);
  double *const x = s_[0].data(), *const y = s_[1].data(), *const z = s_[2].data();
  for (std::size_t d = 0; d < size(); ++d) {
    x[d] += row[d] * change[0];
    y[d] += row[d] * change[1];
    z[d] += row[d] * change[2];
  }
  std::copy(force.begin(), force.end(), f_.begin() + static_cast<std::ptrdiff_t>(3 * c));
}

void CondensedPoint::set_forces(std::span<const double> forces) {
  std::copy(forces.begin(), forces.end(), f_.begin());
  refresh();
}

void CondensedPoint::refresh() {
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t c = 0; c < size(); ++c) s_[axis][c] = s0_[3 * c + axis];
  for (std::size_t c = 0; c < size(); ++c) {
    const double* const row = this->row(c);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double force = f_[3 * c + axis];
      if (force == 0) continue;
      double* const s = s_[axis].data();
      for (std::size_t d = 0; d < size(); ++d) s[d] += row[d] * force;
    }
  }
}

double CondensedPoint::residual() const {
  double largest = 0, scale = 0;
  for (std::size_t c = 0; c < size(); ++c) {
    const Vector3 wanted = project(contacts_[c], trial(c)).force;
    largest = std::max(largest, norm(minus(force(c), wanted)));
    scale = std::max({scale, norm(force(c)), norm(wanted)});
  }
  return scale == 0 ? 0 : largest / scale;
}

}  // namespace proxima::contact
