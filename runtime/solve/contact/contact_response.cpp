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

void ContactResponse<CudaObjective>::follow(const ContactMetric& w) {
  objective_.between_contacts().follow(w);
  const std::size_t count = 3 * w.size();
  if (at_contacts_.size() != count) at_contacts_ = {objective_.algebra_of_vectors(), count};
}

void ContactResponse<CudaObjective>::relative(const ContactMetric& w, std::span<double> u) {
  follow(w);
  objective_.between_contacts().gather(half_, at_contacts_);
  at_contacts_.read(u);
}

void ContactResponse<CudaObjective>::add_forces(const ContactMetric& w, std::span<const double> forces) {
  follow(w);
  at_contacts_.write(forces);
  objective_.between_contacts().add(at_contacts_, half_);
}

}  // namespace proxima::solve
