#include "runtime/contact/decomposed_face.hpp"

#include <algorithm>
#include <optional>

#include "runtime/contact/columns.hpp"
#include "runtime/factor/kernels.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using Index = std::int32_t;
using Contacts = std::vector<std::size_t>;

constexpr Index at(std::size_t i) { return static_cast<Index>(i); }

Axes those(std::span<const double> of_contacts, const Contacts& contacts) {
  Axes result;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result[axis].reserve(contacts.size());
    for (const std::size_t c : contacts) result[axis].push_back(of_contacts[3 * c + axis]);
  }
  return result;
}

// The sticking contacts S eliminated: D_SS = C C^T, and W = [C^-1 ; D_LS C^-T C^-1] as supernodes have it.
class Elimination {
 public:
  Elimination(std::span<const double> d, std::size_t size, const Contacts& stick, const Contacts& slip, double own)
      : sticks_(stick.size()),
        slips_(slip.size()),
        w_(factor::kernels().dense, at(sticks_ + slips_), at(sticks_)),
        among_(factor::kernels().dense, at(slips_), at(slips_)) {
    const auto entry = [&](std::size_t i, std::size_t j) { return d[i * size + j]; };
    for (std::size_t j = 0; j < sticks_; ++j) {
      double* const column = w_.column(at(j));
      for (std::size_t i = 0; i < sticks_; ++i) column[i] = entry(stick[j], stick[i]);
      for (std::size_t i = 0; i < slips_; ++i) column[sticks_ + i] = entry(stick[j], slip[i]);
      column[j] += own;
    }
    if (sticks_ == 0)
      among_.clear();
    else
      exists_ = factor::factor_front(factor::kernels().dense, w_, at(sticks_ + slips_), at(sticks_), among_) < 0;
    // D_LL - D_LS D_SS^-1 D_SL.
    for (std::size_t j = 0; exists_ && j < slips_; ++j)
      for (std::size_t i = j; i < slips_; ++i) {
        among_.column(at(j))[i] += entry(slip[j], slip[i]);
        among_.column(at(i))[j] = among_.column(at(j))[i];
      }
  }

  bool exists() const { return exists_; }
  const factor::FrontMatrix& among() const { return among_; }  // what is left between slipping contacts
  const factor::FrontMatrix& matrix() const { return w_; }

  // C^-1 b, and below it D_LS D_SS^-1 b.
  Axes up(const Axes& b) const {
    Axes y;
    for (auto& axis : y) axis.resize(sticks_ + slips_);
    add_product(w_, sticks_ + slips_, sticks_, Above::zeros, b, y);
    return y;
  }
  // D_SS^-1 (b - D_SL x) from y = up(b).
  Axes down(Axes y, const Axes& x) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < slips_; ++i) y[axis][sticks_ + i] = -x[axis][i];
    return transposed_product(w_, sticks_ + slips_, sticks_, Above::zeros, y);
  }

 private:
  std::size_t sticks_, slips_;
  factor::FrontMatrix w_, among_;
  bool exists_ = true;
};

}  // namespace

struct DecomposedFace::State {
  State(std::span<const double> D, std::size_t size, const FaceRows& rows, std::size_t most_decomposed)
      : stick(rows.stick), slip(rows.slip), elimination(D, size, stick, slip, rows.sticking_own) {
    if (elimination.exists()) system.emplace(elimination.among(), slip.size(), rows.rows, most_decomposed);
  }

  Contacts stick, slip;
  Elimination elimination;
  std::optional<SlipSystem> system;
};

DecomposedFace::DecomposedFace(std::span<const double> D, std::size_t size, const FaceRows& rows,
                               std::size_t most_decomposed)
    : state_(std::make_unique<State>(D, size, rows, most_decomposed)) {}
DecomposedFace::~DecomposedFace() = default;
DecomposedFace::DecomposedFace(DecomposedFace&&) noexcept = default;
DecomposedFace& DecomposedFace::operator=(DecomposedFace&&) noexcept = default;

bool DecomposedFace::exists() const { return state_->system && state_->system->exists(); }
std::span<const std::size_t> DecomposedFace::stick() const { return state_->stick; }
std::span<const std::size_t> DecomposedFace::slip() const { return state_->slip; }
const factor::FrontMatrix& DecomposedFace::eliminated() const { return state_->elimination.matrix(); }
const SlipSystem& DecomposedFace::slip_system() const { return *state_->system; }

void DecomposedFace::forces(std::span<const double> u, std::span<const FaceContact> now,
                            std::span<double> result) const {
  const State& s = *state_;
  const Axes y = s.elimination.up(those(u, s.stick));
  Axes left = those(u, s.slip), slipping;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    slipping[axis].resize(s.slip.size());
    for (std::size_t i = 0; i < s.slip.size(); ++i) left[axis][i] -= y[axis][s.stick.size() + i];
  }
  std::vector<double> p;
  p.reserve(s.system->rows().size());
  for (const SlipRow& row : s.system->rows()) {
    const FaceContact& contact = now[s.slip[row.contact]];
    const Vector3 moved = {left[0][row.contact], left[1][row.contact], left[2][row.contact]};
    p.push_back(dot(row.turns ? contact.turn : contact.fixed, moved));
  }
  s.system->solve(p);
  for (std::size_t j = 0; j < p.size(); ++j) {
    const SlipRow& row = s.system->rows()[j];
    for (std::size_t axis = 0; axis < 3; ++axis) slipping[axis][row.contact] += p[j] * row.force[axis];
  }
  const Axes sticking = s.elimination.down(y, slipping);
  std::fill(result.begin(), result.end(), 0.0);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < s.stick.size(); ++i) result[3 * s.stick[i] + axis] = sticking[axis][i];
    for (std::size_t i = 0; i < s.slip.size(); ++i) result[3 * s.slip[i] + axis] = slipping[axis][i];
  }
}

}  // namespace proxima::contact
