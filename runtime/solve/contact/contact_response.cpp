#include "runtime/solve/contact/contact_response.hpp"

#include <algorithm>

#include "runtime/solve/contact/contact_set.hpp"

namespace proxima::solve {

ContactResponse<Objective>::ContactResponse(const Objective& objective)
    : a_(objective.preconditioner()), rows_(3 * a_.nodes().size()), half_(rows_.size()) {}

void ContactResponse<Objective>::set_load(std::span<const double> r) {
  a_.gather(r, rows_);
  a_.forward(rows_, half_);
}

void ContactResponse<Objective>::clear_load() { std::fill(half_.begin(), half_.end(), 0.0); }

void ContactResponse<Objective>::displacement(std::span<double> x) {
  a_.backward(half_, rows_);
  a_.scatter(rows_, x);
}

ContactResponse<CudaObjective>::ContactResponse(const CudaObjective& objective)
    : objective_(objective),
      view_(objective),
      moved_(objective.vector()),
      load_(objective.vector()),
      by_forces_(objective.vector()) {}

void ContactResponse<CudaObjective>::set_load(const device::CudaVector& r) { objective_.precondition(r, moved_); }

void ContactResponse<CudaObjective>::clear_load() { device::set_zero(moved_); }

void ContactResponse<CudaObjective>::relative(const ContactWeights& w, std::span<double> u) const {
  const auto moved = solve::relative(w.keys, w.at, view_.seen(moved_));
  std::copy(moved.begin(), moved.end(), u.begin());
}

void ContactResponse<CudaObjective>::add_forces(const ContactWeights& w, std::span<const double> forces) {
  device::set_zero(load_);
  view_.add(load_, [&](std::span<double> y) { solve::add_forces(w.keys, w.at, forces, 1, y); });
  objective_.precondition(load_, by_forces_);
  device::add_scaled(moved_, 1, by_forces_);
}

}  // namespace proxima::solve
