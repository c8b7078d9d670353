// The systems of contacts that carry forces with A in the place of H: what preconditions those with H.
#pragma once

#include <functional>

#include "runtime/device/parallel.hpp"
#include "runtime/solve/contact/contact_response.hpp"

namespace proxima::solve {

template <class System>
class FacePreconditioner {
 public:
  using In = typename System::In;
  using Out = typename System::Out;
  using AtContacts = typename ContactResponse<System>::AtContacts;

  // From u, what contacts would move by without forces (3 scalars a contact), their forces F.
  using ForcesOfContacts = std::function<void(const AtContacts& u, AtContacts& forces)>;

  // Keeps references.
  FacePreconditioner(const System& system, const ContactMetric& w, ForcesOfContacts between)
      : response_(system), w_(w), between_(std::move(between)), moved_(zeros()), taken_(zeros()) {}

  AtContacts zeros() const { return response_.at_contacts(w_.size()); }

  // z and forces F with A z + W^T F = r, F what belongs to W A^-1 r. By contact::Face that is [A W^T; W 0]^-1 with what
  // the face fixes, z zero there.
  void apply(In r, Out z, AtContacts& forces) {
    response_.set_load(r);
    response_.relative(w_, moved_);
    between_(moved_, forces);
    device::copy(forces, taken_);
    device::negate(taken_);
    response_.add_forces(w_, taken_);
    response_.displacement(z);
  }
  // A^-1 W^T f.
  void spread(std::span<const double> forces, Out z) {
    response_.clear_load();
    response_.add_forces(w_, forces);
    response_.displacement(z);
  }
  static auto values(const AtContacts& at_contacts) { return ContactResponse<System>::values(at_contacts); }

 private:
  ContactResponse<System> response_;
  const ContactMetric& w_;
  ForcesOfContacts between_;
  AtContacts moved_, taken_;
};

}  // namespace proxima::solve
