// The definition of an energy: its name and the function that writes it down.
#pragma once

#include "proxima/dsl/projection.hpp"

namespace proxima::dsl {

// psi(s1, s2, s3) of the principal stretches, the singular values of the deformation gradient. Must be symmetric.
template <class Psi>
Scalar isotropic(const Psi& psi, Where where = Where::here()) {
  const Vec<3> stretches = singular_values(deformation_gradient(where), where);
  return psi(stretches.entry(0), stretches.entry(1), stretches.entry(2));
}

namespace detail {
struct Definition {
  using Register = void(const char*, unsigned (*)(void), const char*, unsigned);
  Definition(Register* enter, const char* name, unsigned (*body)(), const char* file, unsigned line) {
    enter(name, body, file, line);
  }
};
template <Scalar (*body)()>
unsigned handle_of() {
  return body().handle();
}
template <Scalar (*psi)(const Scalar&, const Scalar&, const Scalar&)>
unsigned handle_of_isotropic() {
  unsigned line = 0;
  const char* file = proxima_dsl_place(&line);
  return isotropic(psi, Where{file, line}).handle();
}
}  // namespace detail

}  // namespace proxima::dsl

#define PROXIMA_DEFINITION(enter, name, handle) \
  static const ::proxima::dsl::detail::Definition proxima_definition_##name(enter, #name, handle, __FILE__, __LINE__);

// Defines the energy density `name`: the body that follows returns it, in joule per cubic metre of undeformed volume
// (of deformation_gradient()), per square metre of undeformed area, or in joule (of edges and stencils).
#define PROXIMA_ENERGY(name)                                                                                \
  static ::proxima::dsl::Scalar proxima_energy_##name();                                                    \
  PROXIMA_DEFINITION(proxima_dsl_register, name, &::proxima::dsl::detail::handle_of<proxima_energy_##name>) \
  static ::proxima::dsl::Scalar proxima_energy_##name()

// Defines a potential of dissipation: the body returns it, in watt per cubic metre (square metre, or watt). Its
// derivative by the rate of the strain is the viscous stress; it has its minimum, 0, where nothing moves.
#define PROXIMA_DISSIPATION(name)                                               \
  static ::proxima::dsl::Scalar proxima_energy_##name();                        \
  PROXIMA_DEFINITION(proxima_dsl_register_dissipation, name,                    \
                     &::proxima::dsl::detail::handle_of<proxima_energy_##name>) \
  static ::proxima::dsl::Scalar proxima_energy_##name()

// Defines an isotropic energy density of solids by a symmetric function of the principal stretches s1, s2, s3, the
// singular values of the deformation gradient.
#define PROXIMA_ISOTROPIC(name)                                                                                       \
  static ::proxima::dsl::Scalar proxima_energy_##name(const ::proxima::dsl::Scalar&, const ::proxima::dsl::Scalar&,   \
                                                      const ::proxima::dsl::Scalar&);                                 \
  PROXIMA_DEFINITION(proxima_dsl_register, name, &::proxima::dsl::detail::handle_of_isotropic<proxima_energy_##name>) \
  static ::proxima::dsl::Scalar proxima_energy_##name([[maybe_unused]] const ::proxima::dsl::Scalar& s1,              \
                                                      [[maybe_unused]] const ::proxima::dsl::Scalar& s2,              \
                                                      [[maybe_unused]] const ::proxima::dsl::Scalar& s3)
