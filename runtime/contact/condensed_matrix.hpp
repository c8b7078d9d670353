// The matrix D of condensed problems: D = W A^-1 W^T, where W has the weights of contacts on rows of A. One number for
// each two contacts, since A is one matrix for all three axes.
//
// With A = L L^T it is B^T B, B = L^-1 P W^T: each contact has a column that is a weighted sum of sparse columns of
// factor/delassus.hpp. Few contacts have all of D stored. Of many nothing is: a product D f is B f, a vector half-way
// through a solve, and B^T of that, and the column of one contact is enough to give it another force or to see where it
// is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/contact/condensed.hpp"
#include "runtime/factor/delassus.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {

using mesh::Vector3;

// Weights on rows of A, contact after contact.
struct ContactRows {
  struct Entry {
    std::int32_t row = 0;
    double weight = 0;
  };
  std::vector<Entry> entries{};
  std::vector<std::size_t> first{0};  // of each contact, and the end
};

// Vectors have three scalars a contact. Half-way vectors are L^-1 P r, three scalars a pivot.
class CondensedMatrix {
 public:
  // One that is given: n x n, row-major, symmetric with a positive diagonal.
  explicit CondensedMatrix(std::vector<double> D);
  // Keeps a reference.
  CondensedMatrix(factor::Delassus& inverse, const ContactRows& rows, CondensedStorage storage);

  std::size_t size() const { return diagonal_.size(); }
  double diagonal(std::size_t c) const { return diagonal_[c]; }  // m/N
  bool stored() const { return stored_; }
  const double* row(std::size_t c) const { return values_.data() + c * size(); }  // where it is stored
  // All of it, row-major; where it is not stored it is formed in `room`.
  std::span<const double> values(std::vector<double>& room) const;
  void multiply(std::span<const double> f, std::span<double> s) const;  // s = D f

  // Those below are for matrices that are not given, but made of a factor.
  // W A^-1 r from the half-way vector of r; of one contact.
  void gather(std::span<const double> half, std::span<double> at_contacts) const;
  Vector3 gather_one(std::size_t c, std::span<const double> half) const;
  // Adds the half-way vector of W^T f; of a force at one contact.
  void add(std::span<const double> forces, std::span<double> half) const;
  void add_one(std::size_t c, const Vector3& force, std::span<double> half) const;
  std::size_t half_size() const;
  // How many products take as long as decomposing it; without end where it was to be matrix-free.
  double decomposition_in_products() const;
  // That of some of the contacts, matrix-free.
  CondensedMatrix part(std::span<const std::size_t> contacts) const;

  // W: the rows that contacts touch, each once, by their indices in the inverse; and each contact's weights on them.
  struct Entry {
    std::size_t place;  // in places()
    double weight;
    bool operator==(const Entry&) const = default;
  };
  std::span<const std::int32_t> places() const { return places_; }
  std::span<const Entry> entries() const { return entries_; }  // contact after contact
  std::span<const std::size_t> first() const { return first_; }

 private:
  CondensedMatrix() = default;
  std::span<const Entry> entries(std::size_t c) const {
    return std::span(entries_).subspan(first_[c], first_[c + 1] - first_[c]);
  }
  std::vector<double> formed() const;
  double own_entry(std::size_t c) const;

  factor::Delassus* inverse_ = nullptr;
  std::vector<std::int32_t> places_;  // in the inverse, of the rows that contacts touch, each once
  std::vector<Entry> entries_;        // contact after contact
  std::vector<std::size_t> first_;
  std::vector<double> diagonal_;
  bool stored_ = false, never_stored_ = false;
  std::vector<double> values_;  // where it is stored
};

}  // namespace proxima::contact
