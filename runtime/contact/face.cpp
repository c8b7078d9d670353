#include "runtime/contact/face.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "runtime/contact/decomposed_face.hpp"
#include "runtime/contact/iterated_face.hpp"

namespace proxima::contact {

struct Face::State {
  State(const CondensedMatrix& D, std::vector<FaceContact> given, const FaceSettings& wanted)
      : contacts(std::move(given)), settings(wanted) {
    if (D.stored()) {
      decompose(D);
      return;
    }
    iterated.emplace(D, FaceRows(contacts, D), settings.tolerance);
    whole = D;
  }

  void decompose(const CondensedMatrix& D) {
    std::vector<double> room;
    decomposed.emplace(D.values(room), D.size(), FaceRows(contacts, D), settings.most_decomposed);
  }

  bool iterate(std::span<const double> u, std::span<const FaceContact> now, std::span<double> result) {
    return iterated && !iterated->dear() && iterated->forces(u, now, result);
  }

  std::vector<FaceContact> contacts;
  FaceSettings settings;
  std::optional<DecomposedFace> decomposed;
  std::optional<IteratedFace> iterated;
  std::optional<CondensedMatrix> whole;  // of what is iterated, should that not converge
};

Face::Face(const CondensedMatrix& D, std::vector<FaceContact> contacts, const FaceSettings& settings)
    : state_(std::make_unique<State>(D, std::move(contacts), settings)) {}
Face::~Face() = default;
Face::Face(Face&&) noexcept = default;
Face& Face::operator=(Face&&) noexcept = default;

const DecomposedFace* Face::decomposed() const { return state_->decomposed ? &*state_->decomposed : nullptr; }
bool Face::exists() const { return !state_->decomposed || state_->decomposed->exists(); }
std::span<const FaceContact> Face::contacts() const { return state_->contacts; }

bool Face::symmetric() const {
  return std::ranges::none_of(state_->contacts, [](const FaceContact& contact) {
    return contact.state == model::ContactState::slip && contact.fixed != contact.force;
  });
}

void Face::forces(std::span<const double> u, std::span<double> result) const { forces(u, state_->contacts, result); }

void Face::forces(std::span<const double> u, std::span<const FaceContact> now, std::span<double> result) const {
  if (state_->iterate(u, now, result)) return;
  if (!state_->decomposed) {
    state_->decompose(*state_->whole);
    state_->iterated.reset();
    state_->whole.reset();
  }
  if (state_->decomposed->exists())
    state_->decomposed->forces(u, now, result);
  else
    std::fill(result.begin(), result.end(), NAN);
}

}  // namespace proxima::contact
