// What makes a formula an energy: parameters with units and bounds, the deformation gradient, and the definition.
#pragma once

#include "proxima/dsl/matrix.hpp"

namespace proxima::dsl {

// The unit in which a parameter is given, for messages and reports; SI throughout, nothing is converted.
struct Unit {
  const char* symbol;
};
inline constexpr Unit dimensionless{""};
inline constexpr Unit metre{"m"};
inline constexpr Unit per_metre{"1/m"};
inline constexpr Unit radian{"rad"};
inline constexpr Unit second{"s"};
inline constexpr Unit per_second{"1/s"};
inline constexpr Unit kilogram{"kg"};
inline constexpr Unit kilogram_per_cubic_metre{"kg/m^3"};
inline constexpr Unit newton{"N"};
inline constexpr Unit newton_per_metre{"N/m"};
inline constexpr Unit pascal{"Pa"};
inline constexpr Unit pascal_second{"Pa s"};
inline constexpr Unit joule_per_cubic_metre{"J/m^3"};
inline constexpr Unit kelvin{"K"};

// A Scalar that the user of the material sets. All values are allowed unless narrowed; bounds are excluded.
class Parameter : public Scalar {
 public:
  Parameter(const char* name, Unit unit, double default_value, Where where)
      : Scalar(from_handle(proxima_dsl_parameter(name, unit.symbol, default_value, where.file, where.line))) {}

  Parameter& between(double lower, double upper, Where where = Where::here()) {
    proxima_dsl_parameter_bounds(handle(), lower, upper, where.file, where.line);
    return *this;
  }
  Parameter& above(double lower, Where where = Where::here()) { return between(lower, __builtin_inf(), where); }
  Parameter& below(double upper, Where where = Where::here()) { return between(-__builtin_inf(), upper, where); }
  Parameter& positive(Where where = Where::here()) { return above(0, where); }
};

inline Parameter parameter(const char* name, Unit unit, double default_value, Where where = Where::here()) {
  return Parameter(name, unit, default_value, where);
}

// F = dx/dX, 3x3, at the point whose energy density is being written down.
inline Mat<3, 3> deformation_gradient(Where where = Where::here()) {
  Mat<3, 3> F;
  for (unsigned slot = 0; slot < 9; ++slot)
    F.entry(static_cast<int>(slot)) =
        Scalar::from_handle(proxima_dsl_deformation_gradient(slot, where.file, where.line));
  return F;
}

namespace detail {
struct Definition {
  Definition(const char* name, unsigned (*body)(), const char* file, unsigned line) {
    proxima_dsl_register(name, body, file, line);
  }
};
template <Scalar (*body)()>
unsigned handle_of() {
  return body().handle();
}
}  // namespace detail

}  // namespace proxima::dsl

// Defines the energy density `name`, in joule per cubic metre of undeformed volume: the body that follows returns it.
#define PROXIMA_ENERGY(name)                                                                 \
  static ::proxima::dsl::Scalar proxima_energy_##name();                                     \
  static const ::proxima::dsl::detail::Definition proxima_definition_##name(                 \
      #name, &::proxima::dsl::detail::handle_of<proxima_energy_##name>, __FILE__, __LINE__); \
  static ::proxima::dsl::Scalar proxima_energy_##name()
