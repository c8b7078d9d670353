#include "runtime/contact/face_newton.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

// Of a step's linear system where that is iterated. What it leaves is small against what a step leaves.
constexpr double newton_tolerance = 1e-4;

// The face that the trial forces show; then, with open contacts let go, what those that slip are fixed to.
std::vector<FaceContact> face_of(const CondensedPoint& before) {
  std::vector<FaceContact> face(before.size());
  std::vector<double> f(before.forces().begin(), before.forces().end());
  for (std::size_t c = 0; c < face.size(); ++c) {
    face[c].state = project(before.contact(c), before.trial(c)).state;
    if (face[c].state == model::ContactState::open) std::fill_n(f.begin() + static_cast<std::ptrdiff_t>(3 * c), 3, 0.0);
  }
  const CondensedPoint point(before, f);
  for (std::size_t c = 0; c < face.size(); ++c)
    if (face[c].state == model::ContactState::slip)
      face[c] = sliding(point.contact(c), point.trial(c), point.diagonal(c));
  return face;
}

// The forces that a step starts from: open contacts let go, slipping ones pull along the edge of their cones.
std::vector<double> on_face(const CondensedPoint& point, const std::vector<FaceContact>& face) {
  std::vector<double> f(point.forces().begin(), point.forces().end());
  for (std::size_t c = 0; c < face.size(); ++c) {
    if (face[c].state == model::ContactState::stick) continue;
    const double pressed =
        face[c].state == model::ContactState::open ? 0 : mesh::dot(point.force(c), point.contact(c).normal);
    for (std::size_t i = 0; i < 3; ++i) f[3 * c + i] = pressed * face[c].force[i];
  }
  return f;
}

}  // namespace

FaceNewton::FaceNewton(const CondensedPoint& point)
    : face_(point.matrix(), face_of(point), {.tolerance = newton_tolerance}) {}

bool FaceNewton::shown_by(const CondensedPoint& point) const {
  for (std::size_t c = 0; c < point.size(); ++c)
    if (project(point.contact(c), point.trial(c)).state != face_.contacts()[c].state) return false;
  return true;
}

std::vector<double> FaceNewton::step(const CondensedPoint& before) const {
  if (!face_.exists()) return {};
  const auto now = face_of(before);
  std::vector<double> f = on_face(before, now), u(f.size()), added(f.size());
  const CondensedPoint point(before, f);
  for (std::size_t c = 0; c < point.size(); ++c) {
    const Vector3 s = point.displacement(c);
    for (std::size_t i = 0; i < 3; ++i) u[3 * c + i] = -s[i];
  }
  face_.forces(u, now, added);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] += added[i];
  if (!std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); })) return {};
  return f;
}

}  // namespace proxima::contact
