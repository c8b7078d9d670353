// Condensed contact problems on real factors, and what a solution has to satisfy, checked by plain loops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/contact/condensed.hpp"

namespace proxima::contact {

struct CondensedProblem {
  std::vector<double> D;  // row-major
  std::vector<CondensedContact> contacts;
  std::vector<double> s0;
  std::size_t size() const { return contacts.size(); }
};

// Contacts of nodes, of a node and a face and of two edges of a box of soft tetrahedra, all over it, with normals in
// all directions; s0 is such that some open, some stick and some slip.
CondensedProblem mixed_problem(std::size_t contacts, double friction, unsigned seed);

// The lowest layer of nodes of a box on a plane (contacts of a square number): s0 presses all of them, and shifts them
// by `shift` times as much along x.
CondensedProblem pressed_layer(int side, double friction, double shift);

// How much the conditions of condensed.hpp are violated, each relative to the largest force or to what that force
// moves.
double violation(const CondensedProblem& problem, const std::vector<double>& f);

}  // namespace proxima::contact
