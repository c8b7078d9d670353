// A trial point of a step with contact: positions, forces, and how far they are from solving it.
#pragma once

#include <vector>

#include "runtime/contact/face_contact.hpp"
#include "runtime/solve/contact_set.hpp"
#include "runtime/solve/potential.hpp"

namespace proxima::solve {

struct ContactPoint {
  std::vector<double> x, forces;  // m, 3 a node; N, 3 a contact
  std::vector<double> gradient;   // of g, N
  std::vector<contact::Geometry> at;
  double balance = 0, complementarity = 0, residual = 0;  // N; see contact_step.hpp
};

// One step with contact at trial points; what was made for one serves for the next.
class ContactEquations {
 public:
  // `velocities` as in ContactSet; `storage`: of the metric. Keeps references.
  ContactEquations(const Potential& potential, const contact::StepSpan& step, std::span<const double> velocities,
                   contact::CondensedStorage storage)
      : potential_(potential), contacts_(potential.objective(), step, velocities), storage_(storage) {}

  const Potential& potential() const { return potential_; }
  ContactSet& contacts() { return contacts_; }
  const ContactSet& contacts() const { return contacts_; }
  const ContactMetric& metric(std::span<const contact::Geometry> geometry);
  int metrics() const { return metrics_; }  // how many there have been: it changes with the weights of the contacts

  // `forces` may be those of fewer contacts: the rest are zero. Not finite where g is not.
  ContactPoint evaluate(std::vector<double> x, std::vector<double> forces);
  // f - s/D of a contact: what the cone's projection looks at.
  model::Vector3 trial_force(const ContactPoint& point, std::size_t c) const;
  contact::Projected projected(const ContactPoint& point, std::size_t c) const;
  // The face to try next: the states of all contacts, and how one slides. Read from forces that count only a part of
  // the slip.
  std::vector<model::ContactState> states(const ContactPoint& point) const;
  contact::FaceContact sliding(const ContactPoint& point, std::size_t c) const;
  std::vector<double> violations(const ContactPoint& point) const;  // 3 a contact, m

 private:
  model::Vector3 face_trial(const ContactPoint& point, std::size_t c) const;

  const Potential& potential_;
  ContactSet contacts_;
  contact::CondensedStorage storage_;
  std::vector<std::array<double, 4>> weights_;  // that the metric is of
  std::unique_ptr<ContactMetric> metric_;
  int metrics_ = 0;
};

}  // namespace proxima::solve
