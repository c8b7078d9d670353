// What contacts add to the linear system of a step or of its adjoint, contact by contact: small dense blocks, made once
// for each system and multiplied in each of its iterations.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "runtime/solve/contact/contact_set.hpp"

namespace proxima::solve {

// How forces on the nodes of one contact answer, three numbers each of up to four nodes.
struct ContactBlock {
  std::array<double, 144> by_moves{};  // by moves of its nodes, [3 k + i][3 l + j], N/m
  std::array<double, 36> by_forces{};  // by its force, [3 k + i][j]
};

// 12 numbers a contact: v at its nodes, zeros where it has none.
std::vector<double> at_nodes_of(std::span<const model::ContactKey> keys, std::span<const double> v);

// Bars on the geometry of all contacts from vectors at their nodes (12 numbers each) and at themselves (3 each), linear
// in both and of each contact by its own alone.
using BarsOfContacts = std::function<std::vector<contact::Geometry>(std::span<const double> at_nodes,
                                                                    std::span<const double> at_contacts)>;

enum class WithForces : bool { no, yes };
// The blocks of what such bars are pulled back to, at positions x; `by_forces` are zero without forces.
std::vector<ContactBlock> pulled_back(const ContactSet& contacts, std::span<const double> x, WithForces forces,
                                      const BarsOfContacts& bars);

// Those of -sum of pressed_c gap_c''; `pressed`: N, one a contact.
std::vector<ContactBlock> curvature(const ContactSet& contacts, std::span<const double> x,
                                    std::span<const contact::Geometry> at, std::span<const double> pressed);

// Adds W^T K W to a contact's block by moves: K answers how the contact is moved.
void add_answer(const contact::Geometry& at, const std::array<model::Vector3, 3>& K, ContactBlock& block);

}  // namespace proxima::solve
