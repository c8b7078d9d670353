#include "runtime/contact/start.hpp"

#include <algorithm>

#include "compiler/support/error.hpp"
#include "runtime/contact/obstacle_contacts.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

constexpr double hair = 1e-4;

}  // namespace

void require_start_outside(const model::Model& model, jit::Engine& engine) {
  if (model.obstacles.empty()) return;
  const auto box = mesh::bounding_box(model.mesh);
  const double allowed = hair * mesh::norm(mesh::minus(box.upper, box.lower));
  const ObstacleContacts contacts(model, engine);
  const auto& x = model.initial_positions;
  const StepSpan start{0, 0, x};
  std::vector<model::ContactKey> keys;
  contacts.candidates(start, x, -allowed, keys);
  if (keys.empty()) return;
  std::vector<Geometry> inside(keys.size());
  contacts.evaluate(start, keys, x, inside);
  const auto deepest = std::ranges::min_element(inside, {}, &Geometry::gap);
  const auto& key = keys[static_cast<std::size_t>(deepest - inside.begin())];
  const auto node = static_cast<std::size_t>(key.nodes[0]);
  const auto& pair = model.contacts[static_cast<std::size_t>(key.pair)];
  const auto at = mesh::vector_at(x, node);
  fail(
      "obstacle '{}': {} starts {:.3g} m inside it, at ({:.4g}, {:.4g}, {:.4g}); at most {:.1g} m is taken for "
      "rounding",
      model.obstacles[static_cast<std::size_t>(pair.other)].name, model::node_name(model.bodies, node), -deepest->gap,
      at[0], at[1], at[2], allowed);
}

}  // namespace proxima::contact
