// A trial point of a step with contact: positions, forces, and how far they are from solving it.
#pragma once

#include <vector>

#include "runtime/contact/face_contact.hpp"
#include "runtime/solve/contact/contact_response.hpp"
#include "runtime/solve/contact/contact_set.hpp"
#include "runtime/solve/contact/contact_view.hpp"
#include "runtime/solve/objective/cuda_potential.hpp"

namespace proxima::solve {

template <class System>  // Objective, or CudaObjective
struct BasicContactPoint {
  typename System::Vector x;           // m, 3 a node
  std::vector<double> forces{};        // N, 3 a contact
  typename System::Vector gradient{};  // of g, N
  std::vector<contact::Geometry> at{};
  double balance = 0, complementarity = 0, residual = 0;  // N; see contact_step.hpp
};
using ContactPoint = BasicContactPoint<Objective>;

template <class System>
BasicContactPoint<System> copied(const BasicContactPoint<System>& point) {
  return {solve::copied(point.x), point.forces,  solve::copied(point.gradient), point.at, point.balance,
          point.complementarity,  point.residual};
}

// One step with contact at trial points; what was made for one serves for the next.
template <class P>  // Potential, or CudaPotential
class BasicContactEquations {
 public:
  using System = typename P::System;
  using Vector = typename System::Vector;
  using In = typename System::In;
  using Out = typename System::Out;
  using Point = BasicContactPoint<System>;

  // `step`, `velocities` as in ContactSet; `storage`: of the metric. Keeps references.
  BasicContactEquations(const P& potential, const contact::StepSpan& step, std::span<const double> velocities,
                        contact::CondensedStorage storage)
      : potential_(potential),
        view_(potential.objective()),
        contacts_(view_.host(), step, velocities),
        storage_(storage) {}

  const P& potential() const { return potential_; }
  const System& objective() const { return potential_.objective(); }
  const ContactView<System>& view() const { return view_; }
  ContactSet& contacts() { return contacts_; }
  const ContactSet& contacts() const { return contacts_; }
  // As of ContactSet.
  bool add_near(In x) { return contacts_.add_near(view_.seen(x)); }
  bool add_missed(In x) { return contacts_.add_missed(view_.seen(x)); }
  // y += scale W^T f on free nodes; W v.
  void add_forces(std::span<const contact::Geometry> at, std::span<const double> forces, double scale, Out y) const;
  std::vector<double> relative(std::span<const contact::Geometry> at, In v) const;

  const ContactMetric& metric(std::span<const contact::Geometry> geometry);
  int metrics() const { return metrics_; }  // how many there have been: it changes with the weights of the contacts

  // `forces` may be those of fewer contacts: the rest are zero. Not finite where g is not.
  Point evaluate(Vector x, std::vector<double> forces);
  // f - s/D of a contact: what the cone's projection looks at.
  model::Vector3 trial_force(const Point& point, std::size_t c) const;
  contact::Projected projected(const Point& point, std::size_t c) const;
  // The face to try next: the states of all contacts, and how one slides. Read from forces that count only a part of
  // the slip.
  std::vector<model::ContactState> states(const Point& point) const;
  contact::FaceContact sliding(const Point& point, std::size_t c) const;
  std::vector<double> violations(const Point& point) const;  // 3 a contact, m

 private:
  model::Vector3 face_trial(const Point& point, std::size_t c) const;

  const P& potential_;
  ContactView<System> view_;
  ContactSet contacts_;
  contact::CondensedStorage storage_;
  std::vector<std::array<double, 4>> weights_;  // that the metric is of
  std::unique_ptr<ContactMetric> metric_;
  int metrics_ = 0;
};
using ContactEquations = BasicContactEquations<Potential>;

}  // namespace proxima::solve
