#include "runtime/solve/contact/contact_response.hpp"

#include <algorithm>

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
    : objective_(objective), half_(objective.half_vector()) {}

std::vector<double> ContactResponse<CudaObjective>::values(const AtContacts& at_contacts) {
  std::vector<double> result(at_contacts.size());
  at_contacts.read(result);
  return result;
}

void ContactResponse<CudaObjective>::relative(const ContactMetric& w, AtContacts& u) {
  objective_.between_contacts().follow(w);
  objective_.between_contacts().gather(half_, u);
}

void ContactResponse<CudaObjective>::relative(const ContactMetric& w, std::span<double> u) {
  AtContacts there = at_contacts(w.size());
  relative(w, there);
  there.read(u);
}

void ContactResponse<CudaObjective>::add_forces(const ContactMetric& w, const AtContacts& forces) {
  objective_.between_contacts().follow(w);
  objective_.between_contacts().add(forces, half_);
}

void ContactResponse<CudaObjective>::add_forces(const ContactMetric& w, std::span<const double> forces) {
  AtContacts there = at_contacts(w.size());
  there.write(forces);
  add_forces(w, there);
}

}  // namespace proxima::solve
