// What an energy is a function of: a measure of deformation, parameters, directions, histories, the time step.
#pragma once

#include "proxima/dsl/algebra.hpp"

namespace proxima::dsl {

// The unit in which a parameter is given, for messages and reports; SI throughout, nothing is converted.
struct Unit {
  const char* symbol;
};
inline constexpr Unit dimensionless{""};
inline constexpr Unit metre{"m"};
inline constexpr Unit per_metre{"1/m"};
inline constexpr Unit square_metre{"m^2"};
inline constexpr Unit cubic_metre{"m^3"};
inline constexpr Unit radian{"rad"};
inline constexpr Unit second{"s"};
inline constexpr Unit per_second{"1/s"};
inline constexpr Unit kilogram{"kg"};
inline constexpr Unit kilogram_per_cubic_metre{"kg/m^3"};
inline constexpr Unit newton{"N"};
inline constexpr Unit newton_per_metre{"N/m"};
inline constexpr Unit newton_second_per_metre{"N s/m"};
inline constexpr Unit pascal{"Pa"};
inline constexpr Unit pascal_second{"Pa s"};
inline constexpr Unit joule{"J"};
inline constexpr Unit joule_per_square_metre{"J/m^2"};
inline constexpr Unit joule_per_cubic_metre{"J/m^3"};
inline constexpr Unit kelvin{"K"};

namespace detail {
// The numbers 0 ... N-1 as a pack.
template <unsigned... k>
struct Pack {};
template <unsigned N, unsigned... k>
struct Count : Count<N - 1, N - 1, k...> {};
template <unsigned... k>
struct Count<0, k...> {
  using type = Pack<k...>;
};

// A number that is given to the energy.
class Given : public Scalar {
 public:
  explicit Given(unsigned handle) : Scalar(from_handle(handle)) {}
  PROXIMA_NO_ASSIGNMENT(Given, PROXIMA_INPUT_IS_FIXED)
};

// A vector or matrix that is given to the energy: readable like any, but its entries cannot be assigned.
template <class Array>
class GivenArray : public Array {
 public:
  template <class Source>  // handle number k by source(k)
  explicit GivenArray(Source source) {
    for (int k = 0; k < Array::size; ++k) this->entry(k) = Scalar::from_handle(source(static_cast<unsigned>(k)));
  }
  PROXIMA_NO_ASSIGNMENT(GivenArray, PROXIMA_INPUT_IS_FIXED)
  Given operator()(const Index& i) const
    requires requires(const Array& a) { a(i); }
  {
    return Given(static_cast<const Array&>(*this)(i).handle());
  }
  Given operator()(const Index& i, const Index& j) const
    requires requires(const Array& a) { a(i, j); }
  {
    return Given(static_cast<const Array&>(*this)(i, j).handle());
  }
  Given operator[](const Index& i) const { return (*this)(i); }
};

// N vectors, one a node.
template <int N>
struct Positions {
  const GivenArray<Vec<3>>& operator[](const Index& node) const { return nodes[node.within(N)]; }
  GivenArray<Vec<3>> nodes[N];
};
template <int N, class Source, unsigned... k>
Positions<N> positions(const Source& source, Pack<k...>) {
  return {{GivenArray<Vec<3>>([&](unsigned i) { return source(3 * k + i); })...}};
}
}  // namespace detail

// A Scalar that the user of the material sets. All values are allowed unless narrowed; bounds are excluded.
class Parameter : public Scalar {
 public:
  explicit Parameter(unsigned handle) : Scalar(from_handle(handle)) {}
  PROXIMA_NO_ASSIGNMENT(Parameter, PROXIMA_INPUT_IS_FIXED)

  Parameter& between(double lower, double upper, Where where = Where::here()) {
    proxima_dsl_parameter_bounds(handle(), lower, upper, where.file, where.line);
    return *this;
  }
  Parameter& above(double lower, Where where = Where::here()) { return between(lower, __builtin_inf(), where); }
  Parameter& below(double upper, Where where = Where::here()) { return between(-__builtin_inf(), upper, where); }
  Parameter& positive(Where where = Where::here()) { return above(0, where); }
};

inline Parameter parameter(const char* name, Unit unit, double default_value, Where where = Where::here()) {
  return Parameter(proxima_dsl_parameter(name, unit.symbol, default_value, where.file, where.line));
}

// A parameter that its user gives as a function of time, such as the activation of a muscle.
inline Parameter signal(const char* name, Unit unit, double default_value, Where where = Where::here()) {
  return Parameter(proxima_dsl_signal(name, unit.symbol, default_value, where.file, where.line));
}

#define PROXIMA_NEEDS_UNIT \
  "the unit comes after the name: parameter(\"E\", pascal, 1e5), or dimensionless in its place; then the default"
__attribute__((unavailable(PROXIMA_NEEDS_UNIT))) Parameter parameter(const char*, double, double = 0);
__attribute__((unavailable(PROXIMA_NEEDS_UNIT))) Parameter parameter(const char*, Unit);
__attribute__((unavailable(PROXIMA_NEEDS_UNIT))) Parameter signal(const char*, double, double = 0);
__attribute__((unavailable(PROXIMA_NEEDS_UNIT))) Parameter signal(const char*, Unit);

// F = dx/dX, 3x3, at a point of a solid; the energy is per rest volume, J/m^3.
inline auto deformation_gradient(Where where = Where::here()) {
  return detail::GivenArray<Mat<3, 3>>(
      [&](unsigned k) { return proxima_dsl_strain("deformation_gradient", 0, k, where.file, where.line); });
}

// F = dx/dX, 3x2, at a point of a membrane, X in the tangent plane at rest; the energy is per rest area, J/m^2.
inline auto surface_deformation_gradient(Where where = Where::here()) {
  return detail::GivenArray<Mat<3, 2>>(
      [&](unsigned k) { return proxima_dsl_strain("surface_deformation_gradient", 0, k, where.file, where.line); });
}

// From the first node of an edge to the second, m; the energy is that of the whole edge, J.
inline auto edge_vector(Where where = Where::here()) {
  return detail::GivenArray<Vec<3>>(
      [&](unsigned k) { return proxima_dsl_strain("edge_vector", 0, k, where.file, where.line); });
}
// The length of that edge in the rest shape, m.
inline Scalar rest_length(Where where = Where::here()) {
  return Scalar::from_handle(proxima_dsl_input("rest_length", 0, 0, where.file, where.line));
}

// Positions x[0] ... x[N-1] of the nodes of a stencil, m; the energy is that of the whole stencil, J.
template <int N>
detail::Positions<N> node_positions(Where where = Where::here()) {
  static_assert(N > 0, "a stencil has at least one node");
  return detail::positions<N>(
      [&](unsigned k) { return proxima_dsl_strain("node_positions", N, k, where.file, where.line); },
      typename detail::Count<N>::type{});
}
// The same nodes in the rest shape.
template <int N>
detail::Positions<N> rest_positions(Where where = Where::here()) {
  static_assert(N > 0, "a stencil has at least one node");
  return detail::positions<N>(
      [&](unsigned k) { return proxima_dsl_input("rest_positions", N, k, where.file, where.line); },
      typename detail::Count<N>::type{});
}

// The length of the time step, s.
inline Scalar time_step(Where where = Where::here()) {
  return Scalar::from_handle(proxima_dsl_input("time_step", 0, 0, where.file, where.line));
}

// The same formula of the strain measure at the end of the previous step; all other inputs as they are.
inline Scalar previous(const Scalar& x, Where where = Where::here()) {
  return Scalar::from_handle(proxima_dsl_previous(x.handle(), where.file, where.line));
}
template <int N>
Vec<N> previous(const Vec<N>& x, Where where = Where::here()) {
  Vec<N> result;
  for (int k = 0; k < N; ++k) result.entry(k) = previous(x.entry(k), where);
  return result;
}
template <int R, int C>
Mat<R, C> previous(const Mat<R, C>& x, Where where = Where::here()) {
  Mat<R, C> result;
  for (int k = 0; k < R * C; ++k) result.entry(k) = previous(x.entry(k), where);
  return result;
}

// How fast it changes during the step: (x - previous(x)) / time_step().
inline Scalar rate(const Scalar& x, Where where = Where::here()) {
  const detail::At at(where);
  return (x - previous(x)) / time_step();
}
template <int N>
Vec<N> rate(const Vec<N>& x, Where where = Where::here()) {
  const detail::At at(where);
  return (x - previous(x)) / time_step();
}
template <int R, int C>
Mat<R, C> rate(const Mat<R, C>& x, Where where = Where::here()) {
  const detail::At at(where);
  return (x - previous(x)) / time_step();
}

// A unit vector in the rest shape for each element, such as the direction of fibres. Without a default its user must
// give it; the default need not be of length 1.
struct Axis {
  double x, y, z;
};
inline detail::GivenArray<Vec<3>> direction(const char* name, Where where = Where::here()) {
  const unsigned input = proxima_dsl_direction(name, nullptr, where.file, where.line);
  return detail::GivenArray<Vec<3>>(
      [&](unsigned k) { return proxima_dsl_component(input, k, where.file, where.line); });
}
inline detail::GivenArray<Vec<3>> direction(const char* name, Axis axis, Where where = Where::here()) {
  const double values[] = {axis.x, axis.y, axis.z};
  const unsigned input = proxima_dsl_direction(name, values, where.file, where.line);
  return detail::GivenArray<Vec<3>>(
      [&](unsigned k) { return proxima_dsl_component(input, k, where.file, where.line); });
}

#define PROXIMA_HISTORY_IS_UPDATED "a history changes after the step only: write update(history, new_value)"

// What an element remembers from step to step. T: Scalar, Vec or Mat. Declared by history(...); its value is that at
// the end of the previous step.
template <class T>
class History : public T {
 public:
  History(unsigned input, const T& value) : T(value), input_(input) {}
  PROXIMA_NO_ASSIGNMENT(History, PROXIMA_HISTORY_IS_UPDATED)
  unsigned input() const { return input_; }

 private:
  unsigned input_;
};

// The initial value is made of numbers; it is that of every element at the start.
inline History<Scalar> history(const char* name, double initial, Where where = Where::here()) {
  const unsigned handle = proxima_dsl_constant(initial, where.file, where.line);
  const unsigned input = proxima_dsl_history(name, &handle, 1, where.file, where.line);
  return {input, Scalar::from_handle(proxima_dsl_component(input, 0, where.file, where.line))};
}
namespace detail {
template <class Array>
History<Array> history_array(const char* name, const Array& initial, Where where) {
  unsigned handles[Array::size];
  for (int k = 0; k < Array::size; ++k) handles[k] = initial.entry(k).handle();
  const unsigned input = proxima_dsl_history(name, handles, Array::size, where.file, where.line);
  Array value;
  for (int k = 0; k < Array::size; ++k)
    value.entry(k) =
        Scalar::from_handle(proxima_dsl_component(input, static_cast<unsigned>(k), where.file, where.line));
  return {input, value};
}
template <class Array>
void update_array(unsigned input, const Array& value, Where where) {
  unsigned handles[Array::size];
  for (int k = 0; k < Array::size; ++k) handles[k] = value.entry(k).handle();
  proxima_dsl_update(input, handles, Array::size, where.file, where.line);
}
}  // namespace detail
template <int N>
History<Vec<N>> history(const char* name, const Vec<N>& initial, Where where = Where::here()) {
  return detail::history_array(name, initial, where);
}
template <int R, int C>
History<Mat<R, C>> history(const char* name, const Mat<R, C>& initial, Where where = Where::here()) {
  return detail::history_array(name, initial, where);
}

// The value of a history after the step, a formula of all inputs at its end. Each history has exactly one.
inline void update(const History<Scalar>& history, const Operand& value) {
  proxima_dsl_update(history.input(), &value.handle, 1, value.where.file, value.where.line);
}
template <int N>
void update(const History<Vec<N>>& history, const Vec<N>& value, Where where = Where::here()) {
  detail::update_array(history.input(), value, where);
}
template <int R, int C>
void update(const History<Mat<R, C>>& history, const Mat<R, C>& value, Where where = Where::here()) {
  detail::update_array(history.input(), value, where);
}

}  // namespace proxima::dsl
