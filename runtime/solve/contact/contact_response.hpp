// How A answers loads on nodes and forces of contacts, one after the other: x = A^-1 (r + W^T f). A metric has W, the
// weights of contacts on their nodes.
#pragma once

#include <vector>

#include "runtime/solve/contact/contact_metric.hpp"
#include "runtime/solve/objective/cuda_objective.hpp"

namespace proxima::solve {

template <class System>
class ContactResponse;

// Half-way through a solve: forces of contacts are added there, where they have few entries. Loads and all forces take
// one application of A^-1.
template <>
class ContactResponse<Objective> {
 public:
  using AtContacts = std::vector<double>;  // three scalars a contact

  explicit ContactResponse(const Objective& objective);

  AtContacts at_contacts(std::size_t contacts) const { return AtContacts(3 * contacts); }
  static std::span<const double> values(const AtContacts& at_contacts) { return at_contacts; }

  void set_load(std::span<const double> r);
  void clear_load();
  // How far contacts are moved, 3 scalars each: W x.
  void relative(const ContactMetric& w, std::span<double> u) const { w.gather(half_, u); }
  void add_forces(const ContactMetric& w, std::span<const double> forces) { w.add(forces, half_); }
  void displacement(std::span<double> x);  // zero on held nodes

 private:
  const Preconditioner& a_;
  std::vector<double> rows_, half_;
};

// The same on a GPU. What goes over are the three numbers of each contact.
template <>
class ContactResponse<CudaObjective> {
 public:
  using AtContacts = device::CudaVector;

  explicit ContactResponse(const CudaObjective& objective);

  AtContacts at_contacts(std::size_t contacts) const { return {objective_.algebra_of_vectors(), 3 * contacts}; }
  static std::vector<double> values(const AtContacts& at_contacts);

  void set_load(const device::CudaVector& r) { objective_.forward(r, half_); }
  void clear_load() { device::set_zero(half_); }
  void relative(const ContactMetric& w, AtContacts& u);
  void relative(const ContactMetric& w, std::span<double> u);
  void add_forces(const ContactMetric& w, const AtContacts& forces);
  void add_forces(const ContactMetric& w, std::span<const double> forces);
  void displacement(device::CudaVector& x) { objective_.backward(half_, x); }

 private:
  const CudaObjective& objective_;
  device::CudaVector half_;
};

}  // namespace proxima::solve
