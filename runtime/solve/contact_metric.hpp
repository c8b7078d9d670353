// A^-1 as contacts see it: D = W A^-1 W^T, where W has the weights of the contacts on their nodes. One number for each
// two contacts, since A is one matrix for all three axes.
#pragma once

#include <span>
#include <vector>

#include "runtime/contact/geometry.hpp"
#include "runtime/solve/preconditioner.hpp"

namespace proxima::solve {

// Half-way vectors are L^-1 r in the order of the factor's pivots, 3 scalars a pivot, for A = L L^T.
class ContactMetric {
 public:
  ContactMetric(const Preconditioner& a, std::span<const model::ContactKey> keys,
                std::span<const contact::Geometry> geometry);

  std::size_t size() const { return size_; }
  std::span<const double> matrix() const { return matrix_; }  // D, size x size, m/N
  double diagonal(std::size_t c) const { return matrix_[c * size_ + c]; }
  // W A^-1 r from the half-way vector of r: 3 scalars a contact.
  void gather(std::span<const double> half, std::span<double> at_contacts) const;
  // Adds the half-way vector of W^T f.
  void add(std::span<const double> forces, std::span<double> half) const;

 private:
  struct Entry {
    std::size_t place;  // in places_
    double weight;
  };
  std::span<const Entry> entries(std::size_t c) const {
    return std::span(entries_).subspan(first_[c], first_[c + 1] - first_[c]);
  }

  const factor::Delassus* inverse_;
  std::size_t size_ = 0;
  std::vector<std::int32_t> places_;  // in the inverse, of the nodes that contacts touch, each once
  std::vector<Entry> entries_;        // contact after contact; held nodes have none
  std::vector<std::size_t> first_;
  std::vector<double> matrix_;
};

}  // namespace proxima::solve
