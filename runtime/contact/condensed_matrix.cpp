#include "runtime/contact/condensed_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace proxima::contact {
namespace {

// Rows of one contact at most: those of four nodes.
constexpr std::size_t most_entries = 4;
// Stored up to so many contacts, and beyond while decomposing costs no more than so many products: those that a face
// takes.
constexpr std::size_t always_stored = 300;
constexpr double of_a_face = 40;
// The cube of a number of contacts that takes as long as reading one value for a product (docs/rooms/contact.md).
constexpr double per_value = 25;

}  // namespace

CondensedMatrix::CondensedMatrix(std::vector<double> D) : stored_(true), values_(std::move(D)) {
  const auto size = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(values_.size()))));
  diagonal_.reserve(size);
  for (std::size_t c = 0; c < size; ++c) diagonal_.push_back(values_[c * size + c]);
}

CondensedMatrix::CondensedMatrix(factor::Delassus& inverse, const ContactRows& rows, CondensedStorage storage)
    : inverse_(&inverse),
      first_(rows.first),
      diagonal_(rows.first.size() - 1),
      never_stored_(storage == CondensedStorage::matrix_free) {
  std::vector<std::int32_t> each;
  each.reserve(rows.entries.size());
  for (const auto& entry : rows.entries) each.push_back(entry.row);
  std::sort(each.begin(), each.end());
  each.erase(std::unique(each.begin(), each.end()), each.end());
  places_ = inverse.place(each);
  entries_.reserve(rows.entries.size());
  for (const auto& [row, weight] : rows.entries)
    entries_.push_back(
        {static_cast<std::size_t>(std::lower_bound(each.begin(), each.end(), row) - each.begin()), weight});
  const bool pays = size() <= always_stored || decomposition_in_products() <= of_a_face;
  if (storage == CondensedStorage::stored || (storage == CondensedStorage::by_size && pays)) {
    values_ = formed();
    stored_ = true;
    for (std::size_t c = 0; c < size(); ++c) diagonal_[c] = row(c)[c];
  } else {
    for (std::size_t c = 0; c < size(); ++c) diagonal_[c] = own_entry(c);
  }
}

std::vector<double> CondensedMatrix::formed() const {
  const auto lines = inverse_->tabulate(places_);
  std::vector<double> result(size() * size());
  for (std::size_t c = 0; c < size(); ++c)
    for (std::size_t d = 0; d <= c; ++d) {
      double sum = 0;
      for (const auto& [i, w] : entries(c)) {
        const double* line = inverse_->line(lines[i]);
        for (const auto& [j, v] : entries(d)) sum += w * v * line[lines[j]];
      }
      result[c * size() + d] = result[d * size() + c] = sum;
    }
  return result;
}

double CondensedMatrix::own_entry(std::size_t c) const {
  const auto own = entries(c);
  std::vector<std::int32_t> indices;
  indices.reserve(most_entries);
  for (const auto& entry : own) indices.push_back(places_[entry.place]);
  std::vector<double> block(indices.size() * indices.size());
  inverse_->block(indices, block);
  double sum = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    for (std::size_t j = 0; j < own.size(); ++j) sum += own[i].weight * own[j].weight * block[i * own.size() + j];
  return sum;
}

double CondensedMatrix::decomposition_in_products() const {
  if (never_stored_) return INFINITY;
  const auto n = static_cast<double>(size());
  return n * n * n / (per_value * static_cast<double>(inverse_->values_read(places_)));
}

std::span<const double> CondensedMatrix::values(std::vector<double>& room) const {
  if (stored_) return values_;
  room = formed();
  return room;
}

void CondensedMatrix::multiply(std::span<const double> f, std::span<double> s) const {
  if (!stored_) {
    std::vector<double> half(half_size());
    add(f, half);
    gather(half, s);
    return;
  }
  std::fill(s.begin(), s.end(), 0.0);
  for (std::size_t c = 0; c < size(); ++c)
    for (std::size_t d = 0; d < size(); ++d)
      for (std::size_t i = 0; i < 3; ++i) s[3 * c + i] += row(c)[d] * f[3 * d + i];
}

void CondensedMatrix::gather(std::span<const double> half, std::span<double> at_contacts) const {
  std::vector<double> at_rows(3 * places_.size());
  inverse_->gather(places_, half, at_rows);
  std::fill(at_contacts.begin(), at_contacts.end(), 0.0);
  for (std::size_t c = 0; c < size(); ++c)
    for (const auto& [place, weight] : entries(c))
      for (std::size_t i = 0; i < 3; ++i) at_contacts[3 * c + i] += weight * at_rows[3 * place + i];
}

Vector3 CondensedMatrix::gather_one(std::size_t c, std::span<const double> half) const {
  Vector3 sum{};
  for (const auto& [place, weight] : entries(c)) {
    Vector3 one{};
    inverse_->gather_one(places_[place], half, one.data());
    mesh::add(sum, weight, one);
  }
  return sum;
}

void CondensedMatrix::add(std::span<const double> forces, std::span<double> half) const {
  std::vector<double> at_rows(3 * places_.size());
  for (std::size_t c = 0; c < size(); ++c)
    for (const auto& [place, weight] : entries(c))
      for (std::size_t i = 0; i < 3; ++i) at_rows[3 * place + i] += weight * forces[3 * c + i];
  inverse_->scatter(places_, at_rows, half);
}

void CondensedMatrix::add_one(std::size_t c, const Vector3& force, std::span<double> half) const {
  for (const auto& [place, weight] : entries(c))
    inverse_->scatter_one(places_[place], mesh::scaled(weight, force).data(), half);
}

std::size_t CondensedMatrix::half_size() const { return 3 * static_cast<std::size_t>(inverse_->factor().size()); }

CondensedMatrix CondensedMatrix::part(std::span<const std::size_t> contacts) const {
  CondensedMatrix result;
  result.inverse_ = inverse_;
  result.never_stored_ = never_stored_;
  result.first_.push_back(0);
  constexpr std::size_t none = SIZE_MAX;
  std::vector<std::size_t> new_place(places_.size(), none);
  for (const std::size_t c : contacts) {
    for (const auto& [place, weight] : entries(c)) {
      if (new_place[place] == none) {
        new_place[place] = result.places_.size();
        result.places_.push_back(places_[place]);
      }
      result.entries_.push_back({new_place[place], weight});
    }
    result.first_.push_back(result.entries_.size());
    result.diagonal_.push_back(diagonal_[c]);
  }
  return result;
}

}  // namespace proxima::contact
