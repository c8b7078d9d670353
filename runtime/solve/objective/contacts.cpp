#include "runtime/solve/objective/contacts.hpp"

#include <algorithm>

#include "runtime/contact/touching_nodes.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::solve {
namespace {

constexpr double margin_share = 1e-3, passed_share = 1e-7;  // of the size of all that there is
constexpr double free_steps = 2;  // a bounce is faster than what gravity makes in so many steps

}  // namespace

Contacts::Contacts(const model::Model& model, jit::Engine& engine)
    : detection_(model, engine), nodes_(contact::touching_nodes(model)) {
  take_values(model);
}

void Contacts::set_values(const model::Model& model) {
  detection_.set_values(model);
  take_values(model);
}

bool Contacts::any_bounce() const {
  return std::any_of(pairs_.begin(), pairs_.end(), [](const auto& pair) { return pair.restitution > 0; });
}

void Contacts::take_values(const model::Model& model) {
  pairs_ = model.contacts;
  ties_ = !model.ties.empty();
  slowest_bounce_ = free_steps * model.time_step * mesh::norm(model.gravity);
  const auto box = mesh::bounding_box(model.mesh);
  const double size = mesh::norm(mesh::minus(box.upper, box.lower));
  margin_ = margin_share * size;
  passed_ = passed_share * size;
}

}  // namespace proxima::solve
