#include "runtime/solve/face_preconditioner.hpp"

#include <algorithm>
#include <utility>

namespace proxima::solve {

FacePreconditioner::FacePreconditioner(const Preconditioner& a, const ContactMetric& metric, ForcesOfContacts between)
    : a_(a),
      metric_(metric),
      between_(std::move(between)),
      rows_(3 * a.nodes().size()),
      half_(rows_.size()),
      at_contacts_(3 * metric.size()) {}

void FacePreconditioner::apply(std::span<const double> r, std::span<double> z, std::span<double> forces) {
  this->forces(r, forces);
  std::vector<double> taken(forces.begin(), forces.end());
  for (double& force : taken) force = -force;
  metric_.add(taken, half_);
  a_.backward(half_, rows_);
  a_.scatter(rows_, z);
}

void FacePreconditioner::spread(std::span<const double> forces, std::span<double> z) {
  std::fill(half_.begin(), half_.end(), 0.0);
  metric_.add(forces, half_);
  a_.backward(half_, rows_);
  a_.scatter(rows_, z);
}

void FacePreconditioner::forces(std::span<const double> r, std::span<double> result) {
  a_.gather(r, rows_);
  a_.forward(rows_, half_);
  metric_.gather(half_, at_contacts_);
  between_(at_contacts_, result);
}

}  // namespace proxima::solve
