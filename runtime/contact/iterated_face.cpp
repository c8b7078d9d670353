#include "runtime/contact/iterated_face.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/contact/gmres.hpp"
#include "runtime/device/parallel.hpp"

namespace proxima::contact {
namespace {

using mesh::dot;
using mesh::vector_at;

// Products before a system counts as one that GMRES does not solve.
constexpr int most_products = 150;
// More contacts are not decomposed because of what products cost; a matrix of theirs takes 128 MB.
constexpr std::size_t most_decomposed = 4000;

std::vector<std::size_t> closed(const FaceRows& rows) {
  std::vector<std::size_t> result = rows.stick;
  result.insert(result.end(), rows.slip.begin(), rows.slip.end());
  return result;
}

}  // namespace

IteratedFace::IteratedFace(const CondensedMatrix& D, FaceRows rows, double tolerance)
    : rows_(std::move(rows)),
      among_(D.part(closed(rows_))),
      tolerance_(tolerance),
      worth_(among_.decomposition_in_products()) {
  scale_.reserve(3 * rows_.stick.size() + rows_.rows.size());
  for (std::size_t i = 0; i < rows_.stick.size(); ++i)
    scale_.insert(scale_.end(), 3, 1 / std::sqrt(among_.diagonal(i) + rows_.sticking_own));
  for (const SlipRow& row : rows_.rows)
    scale_.push_back(
        1 / std::sqrt(among_.diagonal(rows_.stick.size() + row.contact) * dot(row.fixed, row.force) + row.own));
}

void IteratedFace::spread(std::span<const double> unknowns, std::span<double> forces) const {
  const std::size_t sticking = 3 * rows_.stick.size();
  for (std::size_t i = 0; i < sticking; ++i) forces[i] = scale_[i] * unknowns[i];
  std::fill(forces.begin() + static_cast<std::ptrdiff_t>(sticking), forces.end(), 0.0);
  for (std::size_t k = 0; k < rows_.rows.size(); ++k) {
    const SlipRow& row = rows_.rows[k];
    mesh::add_at(forces, rows_.stick.size() + row.contact, scale_[sticking + k] * unknowns[sticking + k], row.force);
  }
}

void IteratedFace::multiply(std::span<const double> unknowns, std::span<double> result) const {
  const std::size_t sticking = 3 * rows_.stick.size();
  std::vector<double> forces(3 * among_.size()), moved(forces.size());
  spread(unknowns, forces);
  among_.multiply(forces, moved);
  for (std::size_t i = 0; i < sticking; ++i) result[i] = scale_[i] * (moved[i] + rows_.sticking_own * forces[i]);
  for (std::size_t k = 0; k < rows_.rows.size(); ++k) {
    const SlipRow& row = rows_.rows[k];
    const double scale = scale_[sticking + k];
    result[sticking + k] = scale * (dot(row.fixed, vector_at(moved, rows_.stick.size() + row.contact)) +
                                    row.own * scale * unknowns[sticking + k]);
  }
}

bool IteratedFace::forces(std::span<const double> u, std::span<const FaceContact> now, std::span<double> result) {
  std::vector<double> b, unknowns(scale_.size());
  b.reserve(scale_.size());
  for (const std::size_t c : rows_.stick)
    for (std::size_t i = 0; i < 3; ++i) b.push_back(scale_[b.size()] * u[3 * c + i]);
  for (const SlipRow& row : rows_.rows) {
    const std::size_t c = rows_.slip[row.contact];
    b.push_back(scale_[b.size()] * dot(row.turns ? now[c].turn : now[c].fixed, vector_at(u, c)));
  }
  const double target = tolerance_ * device::norm(b);
  const auto outcome = gmres([&](auto x, auto y) { multiply(x, y); }, b, target, most_products, unknowns);
  std::vector<double> forces(3 * among_.size());
  spread(unknowns, forces);
  std::fill(result.begin(), result.end(), 0.0);
  for (std::size_t k = 0; k < among_.size(); ++k) {
    const std::size_t c = k < rows_.stick.size() ? rows_.stick[k] : rows_.slip[k - rows_.stick.size()];
    std::copy_n(forces.begin() + static_cast<std::ptrdiff_t>(3 * k), 3,
                result.begin() + static_cast<std::ptrdiff_t>(3 * c));
  }
  products_ += outcome.iterations;
  return outcome.residual <= target;
}

bool IteratedFace::dear() const { return products_ >= worth_ && among_.size() <= most_decomposed; }

}  // namespace proxima::contact
