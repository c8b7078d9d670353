#include "runtime/contact/face_contact.hpp"

#include <algorithm>
#include <cmath>

namespace proxima::contact {
namespace {

using mesh::add;
// Of D: a contact that slides by less is next to sticking, and a smaller number would only lose digits.
constexpr double least_compliance = 1e-8;

}  // namespace

FaceContact sliding(const FrictionCone& cone, const Vector3& t, double d) {
  const SlipDirection direction = slip_direction(cone, t);
  FaceContact contact{.state = model::ContactState::slip,
                      .fixed = cone.normal,
                      .force = cone.normal,
                      .turn = direction.tangent,
                      .compliance = INFINITY};
  add(contact.force, 1, direction.edge);
  if (cone.friction > 0) contact.compliance = d * std::max(least_compliance, (1 - direction.turn) / direction.turn);
  return contact;
}

FaceRows::FaceRows(std::span<const FaceContact> contacts, const CondensedMatrix& D) {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const FaceContact& contact = contacts[c];
    if (contact.state == model::ContactState::stick) {
      stick.push_back(c);
      sticking_own = std::max(sticking_own, face_regularisation * D.diagonal(c));
    }
    if (contact.state != model::ContactState::slip) continue;
    rows.push_back({slip.size(), contact.fixed, contact.force, face_regularisation * D.diagonal(c), false});
    if (std::isfinite(contact.compliance))
      rows.push_back({slip.size(), contact.turn, contact.turn, contact.compliance, true});
    slip.push_back(c);
  }
}

}  // namespace proxima::contact
