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

// Functions are named by name and line, so that two energies of one name are told by the loader, in its own words.
#define PROXIMA_JOINED(a, b) a##b
#define PROXIMA_NAMED(a, line) PROXIMA_JOINED(a, line)
#define PROXIMA_BODY(name) PROXIMA_NAMED(proxima_energy_##name##_of_line_, __LINE__)
#define PROXIMA_DEFINE(enter, name, handle)                                                                      \
  static const ::proxima::dsl::detail::Definition PROXIMA_NAMED(proxima_definition_##name##_of_line_, __LINE__)( \
      enter, #name, &::proxima::dsl::detail::handle<PROXIMA_BODY(name)>, __FILE__, __LINE__);

// Defines the energy density `name`: the body that follows returns it, in joule per cubic metre of undeformed volume
// (of deformation_gradient()), per square metre of undeformed area, or in joule (of edges and stencils).
#define PROXIMA_ENERGY(name)                          \
  static ::proxima::dsl::Scalar PROXIMA_BODY(name)(); \
  PROXIMA_DEFINE(proxima_dsl_register, name, handle_of) static ::proxima::dsl::Scalar PROXIMA_BODY(name)()

// Defines a potential of dissipation: the body returns it, in watt per cubic metre (square metre, or watt). Its
// derivative by the rate of the strain is the viscous stress; it has its minimum, 0, where nothing moves.
#define PROXIMA_DISSIPATION(name)                     \
  static ::proxima::dsl::Scalar PROXIMA_BODY(name)(); \
  PROXIMA_DEFINE(proxima_dsl_register_dissipation, name, handle_of) static ::proxima::dsl::Scalar PROXIMA_BODY(name)()

// Defines an isotropic energy density of solids by a symmetric function of the principal stretches s1, s2, s3, the
// singular values of the deformation gradient.
#define PROXIMA_ISOTROPIC(name)                                                                                  \
  static ::proxima::dsl::Scalar PROXIMA_BODY(name)(const ::proxima::dsl::Scalar&, const ::proxima::dsl::Scalar&, \
                                                   const ::proxima::dsl::Scalar&);                               \
  PROXIMA_DEFINE(proxima_dsl_register, name, handle_of_isotropic)                                                \
  static ::proxima::dsl::Scalar PROXIMA_BODY(name)([[maybe_unused]] const ::proxima::dsl::Scalar& s1,            \
                                                   [[maybe_unused]] const ::proxima::dsl::Scalar& s2,            \
                                                   [[maybe_unused]] const ::proxima::dsl::Scalar& s3)
