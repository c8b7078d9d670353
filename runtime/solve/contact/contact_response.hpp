// How A answers loads on nodes and forces of contacts, one after the other: x = A^-1 (r + W^T f).
#pragma once

#include <vector>

#include "runtime/solve/contact/contact_metric.hpp"
#include "runtime/solve/contact/contact_view.hpp"

namespace proxima::solve {

// The weights W of contacts on their nodes, and what they make of A.
struct ContactWeights {
  const ContactMetric& metric;
  std::span<const model::ContactKey> keys;
  std::span<const contact::Geometry> at;
};

template <class System>
class ContactResponse;

// Half-way through a solve: forces of contacts are added there, where they have few entries. Loads and all forces take
// one application of A^-1.
template <>
class ContactResponse<Objective> {
 public:
  static constexpr int a_solves = 1;  // of loads and one addition of forces

  explicit ContactResponse(const Objective& objective);

  void set_load(std::span<const double> r);
  void clear_load();
  // How far contacts are moved, 3 scalars each: W x.
  void relative(const ContactWeights& w, std::span<double> u) const { w.metric.gather(half_, u); }
  void add_forces(const ContactWeights& w, std::span<const double> forces) { w.metric.add(forces, half_); }
  void displacement(std::span<double> x);  // zero on held nodes

 private:
  const Preconditioner& a_;
  std::vector<double> rows_, half_;
};

// On a GPU both sweeps are one launch, so each addition of forces is an application of its own.
template <>
class ContactResponse<CudaObjective> {
 public:
  static constexpr int a_solves = 2;

  explicit ContactResponse(const CudaObjective& objective);

  void set_load(const device::CudaVector& r);
  void clear_load();
  void relative(const ContactWeights& w, std::span<double> u) const;
  void add_forces(const ContactWeights& w, std::span<const double> forces);
  void displacement(device::CudaVector& x) { device::copy(moved_, x); }

 private:
  const CudaObjective& objective_;
  ContactView<CudaObjective> view_;
  device::CudaVector moved_, load_, by_forces_;
};

}  // namespace proxima::solve
