// Functions before and after a simulation: a controller that reads the state and sets actuations, a loss of the state.
#pragma once

#include "proxima/dsl/energy.hpp"

namespace proxima::dsl {

// What whoever uses the function gives it: one number, or a vector of N.
inline detail::Given input(const char* name, Where where = Where::here()) {
  return detail::Given(proxima_dsl_function_input(name, 1, 0, where.file, where.line));
}
template <int N>
detail::GivenArray<Vec<N>> input(const char* name, Where where = Where::here()) {
  static_assert(N > 0, "an input has at least one component");
  return detail::GivenArray<Vec<N>>(
      [&](unsigned k) { return proxima_dsl_function_input(name, N, k, where.file, where.line); });
}

// The values that weights have before they are trained.
struct Initial {
  unsigned seed;
  double half_width;  // below 0: one over the root of the number of terms in a sum of them (rows of a matrix; a vector)
};
constexpr Initial zeros() { return {0, 0}; }
// Drawn from the interval of +-half_width. The same seed and name give the same numbers.
constexpr Initial uniform(unsigned seed, double half_width = -1) { return {seed, half_width}; }

// Numbers that are the function's own, to be trained: a vector that starts at zero, or a matrix that starts from
// uniform numbers of seed 0.
template <int N>
detail::GivenArray<Vec<N>> weights(const char* name, Initial initial = zeros(), Where where = Where::here()) {
  static_assert(N > 0, "weights have at least one component");
  const unsigned handle = proxima_dsl_weights(name, N, N, initial.seed, initial.half_width, where.file, where.line);
  return detail::GivenArray<Vec<N>>([&](unsigned k) { return proxima_dsl_weight(handle, k, where.file, where.line); });
}
template <int R, int C>
detail::GivenArray<Mat<R, C>> weights(const char* name, Initial initial = uniform(0), Where where = Where::here()) {
  static_assert(R > 0 && C > 0, "weights have at least one component");
  const unsigned handle = proxima_dsl_weights(name, R * C, C, initial.seed, initial.half_width, where.file, where.line);
  return detail::GivenArray<Mat<R, C>>(
      [&](unsigned k) { return proxima_dsl_weight(handle, k, where.file, where.line); });
}

// What the function computes. A function has one output or several.
inline void output(const char* name, const Operand& value) {
  proxima_dsl_output(name, &value.handle, 1, value.where.file, value.where.line);
}
template <int N>
void output(const char* name, const Vec<N>& value, Where where = Where::here()) {
  unsigned handles[N];
  for (int k = 0; k < N; ++k) handles[k] = value.entry(k).handle();
  proxima_dsl_output(name, handles, N, where.file, where.line);
}

// The vector of f(v[0]), f(v[1]), ...
template <int N, class Function>
Vec<N> map(const Vec<N>& v, const Function& f) {
  Vec<N> result;
  for (int k = 0; k < N; ++k) result.entry(k) = f(v.entry(k));
  return result;
}
template <int N>
Vec<N> tanh(const Vec<N>& v, Where where = Where::here()) {
  const detail::At at(where);
  return map(v, [](const Scalar& x) { return tanh(x); });
}

namespace detail {
template <int N>
struct Length {
  static constexpr int value = N;
};
Length<1> length_of(const Operand&);
template <int N>
Length<N> length_of(const Vec<N>&);

inline void put(Scalar*& to, const Operand& value) { *to++ = value.scalar(); }
template <int N>
void put(Scalar*& to, const Vec<N>& value) {
  for (int k = 0; k < N; ++k) *to++ = value.entry(k);
}
}  // namespace detail

// One vector of all numbers and vectors given, in their order.
template <class... Parts>
auto join(const Parts&... parts) {
  Vec<(decltype(detail::length_of(parts))::value + ...)> result;
  Scalar* next = &result.entry(0);
  (detail::put(next, parts), ...);
  return result;
}

namespace detail {
template <void (*body)()>
unsigned handle_of_function() {
  body();
  return 0;
}
}  // namespace detail

}  // namespace proxima::dsl

// Defines the function `name`: the body that follows asks for inputs and weights and gives outputs.
#define PROXIMA_FUNCTION(name)      \
  static void PROXIMA_BODY(name)(); \
  PROXIMA_DEFINE(proxima_dsl_register_function, name, handle_of_function) static void PROXIMA_BODY(name)()
