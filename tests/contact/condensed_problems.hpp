// Condensed contact problems on real factors, and what a solution has to satisfy, checked by plain loops.
#pragma once

#include <memory>
#include <vector>

#include "runtime/contact/condensed_matrix.hpp"

namespace proxima::contact {

// A factor with its inverse at some rows.
struct Factored {
  explicit Factored(const factor::SparseSymmetric& matrix);
  factor::SupernodalCholesky factor;
  factor::Delassus inverse;
};

struct CondensedProblem {
  std::vector<double> D{};  // row-major
  std::vector<CondensedContact> contacts{};
  std::vector<double> s0{};
  // What D was made from, where it was made from something.
  std::shared_ptr<Factored> source{};
  ContactRows rows{};

  std::size_t size() const { return contacts.size(); }
  CondensedMatrix matrix(CondensedStorage storage) const {
    return source ? CondensedMatrix(source->inverse, rows, storage) : CondensedMatrix(D);
  }
};

// Contacts of nodes, of a node and a face and of two edges of a box of soft tetrahedra, all over it, with normals in
// all directions; s0 is such that some open, some stick and some slip.
CondensedProblem mixed_problem(std::size_t contacts, double friction, unsigned seed);

// The lowest layer of nodes of a box on a plane (contacts of a square number): s0 presses all of them, and shifts them
// by `shift` times as much along x.
CondensedProblem pressed_layer(int side, double friction, double shift);

// Each contact so many times, one after the other: only the sums of their forces are determined.
CondensedProblem repeated(const CondensedProblem& once, std::size_t times);

// How much the conditions of condensed.hpp are violated, each relative to the largest force or to what that force
// moves.
double violation(const CondensedProblem& problem, const std::vector<double>& f);

}  // namespace proxima::contact
