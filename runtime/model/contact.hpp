// Who may touch whom, and by which law.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::model {

using mesh::Vector3;

// Forces that grow with depth in the place of the law of contact (Macklin 2020, sections 5.4 and 5.5): f.n is stiffness
// times max(0, -gap)^(exponent - 1), and friction is Coulomb's but where the slip is slow, where it falls to 0 with it.
struct Penalty {
  double stiffness = 0;   // N/m^(exponent - 1), of each contact
  int exponent = 2;       // of the potential, at least 2
  double slip_speed = 0;  // m/s, above 0: where friction is 1/sqrt(2) of what Coulomb's law has
};

// Two bodies, a body and itself, or a body and an obstacle. What is in no pair passes through each other.
struct ContactPair {
  std::int32_t body = 0;  // of Model::bodies; 0 is all nodes where the model has none
  bool with_obstacle = true;
  std::int32_t other = 0;  // of Model::obstacles or Model::bodies
  double friction = 0;     // Coulomb's coefficient, of sticking and of sliding
  double restitution = 0;  // of the speed of approach, 0 to 1: Newton's, for each contact on its own
  // Between bodies, m: they touch where their surfaces are this far apart. Sheets and edges, which have no inside, need
  // one.
  double thickness = 0;
  // Where one of the two surfaces has a direction of friction: `friction` is along it, this across it. Where both have
  // one, `friction` is along and friction_across across both where they are parallel, and friction_crossed in all
  // directions where they cross at right angles (the matchstick model, contact/matchstick.hpp).
  double friction_across = 0;
  // Of the body's surface, in space at rest, of any length; it moves with the surface. Zero: it has none. Of a body and
  // itself: of both sides.
  Vector3 friction_direction{};
  double friction_crossed = 0;
  Vector3 other_direction{};         // likewise of the other body; an obstacle has its own
  std::optional<Penalty> penalty{};  // all pairs of a model have one, or none
};

enum class ContactKind : std::uint8_t { node_obstacle, vertex_face, edge_edge, tie };
enum class ContactState : std::uint8_t { open, stick, slip };

// Which contact it is; sorted by this, contacts have an order that depends on nothing else.
struct ContactKey {
  std::int32_t pair = 0;  // of Model::contacts; of a tie: of Model::ties
  ContactKind kind = ContactKind::node_obstacle;
  std::int8_t side = 1;  // 1 or -1, of a face or a pair of edges: on which side the first one began
  std::array<std::int32_t, 4> nodes{-1, -1, -1, -1};  // the first side's, then the other's; -1: none
  auto operator<=>(const ContactKey&) const = default;
};

inline bool is_tie(const ContactKey& key) { return key.kind == ContactKind::tie; }
inline bool between_bodies(const ContactKey& key) {
  return key.kind == ContactKind::vertex_face || key.kind == ContactKind::edge_edge;
}
// Of a contact between bodies: how many of its nodes are the first side's.
inline std::size_t first_nodes(const ContactKey& key) { return key.kind == ContactKind::vertex_face ? 1 : 2; }

}  // namespace proxima::model
