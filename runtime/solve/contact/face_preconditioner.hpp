// The systems of contacts that carry forces with A in the place of H: what preconditions those with H.
#pragma once

#include <functional>

#include "runtime/solve/contact/contact_response.hpp"

namespace proxima::solve {

// From u, what contacts would move by without forces (3 scalars a contact), their forces F.
using ForcesOfContacts = std::function<void(std::span<const double> u, std::span<double> forces)>;

template <class System>
class FacePreconditioner {
 public:
  using In = typename System::In;
  using Out = typename System::Out;

  // Keeps references.
  FacePreconditioner(const System& system, const ContactMetric& w, ForcesOfContacts between)
      : response_(system), w_(w), between_(std::move(between)), at_contacts_(3 * w.size()) {}

  // z and forces F with A z + W^T F = r, F what belongs to W A^-1 r. By contact::Face that is [A W^T; W 0]^-1 with what
  // the face fixes, z zero there.
  void apply(In r, Out z, std::span<double> forces) {
    response_.set_load(r);
    response_.relative(w_, at_contacts_);
    between_(at_contacts_, forces);
    std::vector<double> taken(forces.begin(), forces.end());
    for (double& force : taken) force = -force;
    response_.add_forces(w_, taken);
    response_.displacement(z);
  }
  // A^-1 W^T f.
  void spread(std::span<const double> forces, Out z) {
    response_.clear_load();
    response_.add_forces(w_, forces);
    response_.displacement(z);
  }

 private:
  ContactResponse<System> response_;
  const ContactMetric& w_;
  ForcesOfContacts between_;
  std::vector<double> at_contacts_;
};

}  // namespace proxima::solve
