#include "runtime/contact/displacements.hpp"

#include <algorithm>

namespace proxima::contact {

Displacements::Displacements(const CondensedMatrix& D, std::span<const double> s0) : D_(&D), s0_(s0) {
  for (auto& axis : s_) axis.resize(D.size());
  spread();
  if (!D.stored()) half_.resize(D.half_size());
  settled_ = true;
}

void Displacements::spread() {
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t c = 0; c < s_[axis].size(); ++c) s_[axis][c] = s0_[3 * c + axis];
}

void Displacements::form(std::span<const double> f) {
  if (!D_->stored()) {
    std::fill(half_.begin(), half_.end(), 0.0);
    D_->add(f, half_);
    settled_ = false;
    settle();
    return;
  }
  spread();
  for (std::size_t c = 0; c < D_->size(); ++c) {
    const double* const row = D_->row(c);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double force = f[3 * c + axis];
      if (force == 0) continue;
      double* const s = s_[axis].data();
      for (std::size_t d = 0; d < D_->size(); ++d) s[d] += row[d] * force;
    }
  }
}

void Displacements::add(std::size_t c, const Vector3& change) {
  if (!D_->stored()) {
    D_->add_one(c, change, half_);
    settled_ = false;
    return;
  }
  const double* const row = D_->row(c);
  double *const x = s_[0].data(), *const y = s_[1].data(), *const z = s_[2].data();
  for (std::size_t d = 0; d < D_->size(); ++d) {
    x[d] += row[d] * change[0];
    y[d] += row[d] * change[1];
    z[d] += row[d] * change[2];
  }
}

void Displacements::settle() {
  if (settled_) return;
  std::vector<double> moved(3 * D_->size());
  D_->gather(half_, moved);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t c = 0; c < D_->size(); ++c) s_[axis][c] = s0_[3 * c + axis] + moved[3 * c + axis];
  settled_ = true;
}

Vector3 Displacements::at(std::size_t c) const {
  if (settled_) return {s_[0][c], s_[1][c], s_[2][c]};
  Vector3 result = D_->gather_one(c, half_);
  for (std::size_t axis = 0; axis < 3; ++axis) result[axis] += s0_[3 * c + axis];
  return result;
}

}  // namespace proxima::contact
