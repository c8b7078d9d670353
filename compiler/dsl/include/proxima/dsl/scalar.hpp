// Numbers and truth values of the language, and the functions of them.
#pragma once

#include "proxima/dsl/abi.h"

// What a condition in an `if` gets: a compile error that says what to write instead.
#define PROXIMA_NO_BRANCHING                                                  \
  __attribute__((                                                             \
      unavailable("the value is not known while the energy is written down; " \
                  "use select(condition, value_if_true, value_if_false) instead of if, ?:, while or for")))

// What assignment to an input gets, in a class that derives from a value.
#define PROXIMA_NO_ASSIGNMENT(Class, message)                          \
  Class(const Class&) = default;                                       \
  __attribute__((unavailable(message))) void operator=(const Class&);  \
  template <class Other>                                               \
  __attribute__((unavailable(message))) void operator=(const Other&);  \
  template <class Other>                                               \
  __attribute__((unavailable(message))) void operator+=(const Other&); \
  template <class Other>                                               \
  __attribute__((unavailable(message))) void operator-=(const Other&); \
  template <class Other>                                               \
  __attribute__((unavailable(message))) void operator*=(const Other&); \
  template <class Other>                                               \
  __attribute__((unavailable(message))) void operator/=(const Other&);
#define PROXIMA_INPUT_IS_FIXED                                                           \
  "this is an input, which cannot be changed; give the new value a name of its own, or " \
  "start from a copy: Scalar x = ..., Vec<3> v = ..., Mat<3, 3> A = ..."

namespace proxima::dsl {

inline constexpr double pi = 3.14159265358979323846;

// A place in the author's file. As a default argument it is the place of the call.
struct Where {
  const char* file;
  unsigned line;
  static constexpr Where here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};

namespace detail {
// While one lives, all that is written counts as written there: the author's line, not one of these headers.
class At {
 public:
  explicit At(Where where) { proxima_dsl_enter(where.file, where.line); }
  ~At() { proxima_dsl_leave(); }
  At(const At&) = delete;
  At& operator=(const At&) = delete;
};

template <class... Handles>
unsigned apply(const char* op, Where where, Handles... handles) {
  const unsigned operands[] = {handles...};
  return proxima_dsl_apply(op, operands, sizeof...(handles), where.file, where.line);
}
}  // namespace detail

struct Operand;

// A number that will be known when a simulation runs.
class Scalar {
 public:
  Scalar(double value = 0, Where where = Where::here())
      : handle_(proxima_dsl_constant(value, where.file, where.line)) {}
  static Scalar from_handle(unsigned handle) { return Scalar(handle, Handle{}); }
  unsigned handle() const { return handle_; }

  PROXIMA_NO_BRANCHING explicit operator bool() const;

  inline Scalar& operator+=(const Operand& b);
  inline Scalar& operator-=(const Operand& b);
  inline Scalar& operator*=(const Operand& b);
  inline Scalar& operator/=(const Operand& b);

 private:
  struct Handle {};
  Scalar(unsigned handle, Handle) : handle_(handle) {}
  unsigned handle_;
};

namespace detail {
template <class T>
concept Integer = requires(T i) { i % i; };
}  // namespace detail

// A Scalar or a plain number as an operand, together with the line on which it is used. Never written by authors.
struct Operand {
  Operand(const Scalar& scalar, Where at = Where::here()) : handle(scalar.handle()), where(at) {}
  Operand(double value, Where at = Where::here()) : handle(proxima_dsl_constant(value, at.file, at.line)), where(at) {}
  template <detail::Integer T>
  Operand(T value, Where at = Where::here()) : Operand(static_cast<double>(value), at) {
    integer_zero = value == 0;
  }
  Scalar scalar() const { return Scalar::from_handle(handle); }
  // A factor 0 of integer type is the classic slip 1/2, which C++ takes for an integer division.
  const Operand& as_factor() const {
    if (integer_zero)
      proxima_dsl_mistake("a factor is the integer 0; 1/2 is 0 in C++, write 0.5 or 1.0 / 2 (or 0.0 if 0 is meant)",
                          where.file, where.line);
    return *this;
  }
  unsigned handle;
  Where where;
  bool integer_zero = false;
};

// A truth value that will be known when a simulation runs; a condition for select.
class Bool {
 public:
  static Bool from_handle(unsigned handle, Where where) { return Bool(handle, where); }
  unsigned handle() const { return handle_; }
  Where where() const { return where_; }
  PROXIMA_NO_BRANCHING explicit operator bool() const;

 private:
  Bool(unsigned handle, Where where) : handle_(handle), where_(where) {}
  unsigned handle_;
  Where where_;
};

namespace detail {
inline Scalar unary(const char* op, const Operand& x) { return Scalar::from_handle(apply(op, x.where, x.handle)); }
inline Scalar binary(const char* op, const Operand& a, const Operand& b) {
  return Scalar::from_handle(apply(op, b.where, a.handle, b.handle));
}
template <class... Handles>
Bool truth(const char* op, Where where, Handles... handles) {
  return Bool::from_handle(apply(op, where, handles...), where);
}
}  // namespace detail

inline Scalar operator+(const Operand& a, const Operand& b) { return detail::binary("add", a, b); }
inline Scalar operator-(const Operand& a, const Operand& b) { return detail::binary("sub", a, b); }
inline Scalar operator*(const Operand& a, const Operand& b) {
  return detail::binary("mul", a.as_factor(), b.as_factor());
}
inline Scalar operator/(const Operand& a, const Operand& b) { return detail::binary("div", a, b); }
inline Scalar operator-(const Operand& x) { return detail::unary("neg", x); }
inline Scalar operator+(const Scalar& x) { return x; }

inline Scalar& Scalar::operator+=(const Operand& b) { return *this = detail::binary("add", *this, b); }
inline Scalar& Scalar::operator-=(const Operand& b) { return *this = detail::binary("sub", *this, b); }
inline Scalar& Scalar::operator*=(const Operand& b) { return *this = detail::binary("mul", *this, b.as_factor()); }
inline Scalar& Scalar::operator/=(const Operand& b) { return *this = detail::binary("div", *this, b); }

inline Bool operator!(const Bool& a) { return detail::truth("not", a.where(), a.handle()); }
inline Bool operator&&(const Bool& a, const Bool& b) { return detail::truth("and", b.where(), a.handle(), b.handle()); }
inline Bool operator||(const Bool& a, const Bool& b) { return detail::truth("or", b.where(), a.handle(), b.handle()); }

inline Bool operator<(const Operand& a, const Operand& b) { return detail::truth("less", b.where, a.handle, b.handle); }
inline Bool operator<=(const Operand& a, const Operand& b) {
  return detail::truth("less_equal", b.where, a.handle, b.handle);
}
inline Bool operator>(const Operand& a, const Operand& b) { return detail::truth("less", b.where, b.handle, a.handle); }
inline Bool operator>=(const Operand& a, const Operand& b) {
  return detail::truth("less_equal", b.where, b.handle, a.handle);
}
inline Bool operator==(const Operand& a, const Operand& b) {
  return detail::truth("equal", b.where, a.handle, b.handle);
}
inline Bool operator!=(const Operand& a, const Operand& b) { return !(a == b); }

// The first value where the condition holds, else the second. Both are written down; the one not taken has no
// influence on the result or on a derivative, even where it is infinite or not a number.
inline Scalar select(const Bool& condition, const Operand& if_true, const Operand& if_false) {
  return Scalar::from_handle(
      detail::apply("select", if_true.where, condition.handle(), if_true.handle, if_false.handle));
}

inline Scalar sqrt(const Operand& x) { return detail::unary("sqrt", x); }
inline Scalar cbrt(const Operand& x) { return detail::unary("cbrt", x); }
inline Scalar exp(const Operand& x) { return detail::unary("exp", x); }
inline Scalar expm1(const Operand& x) { return detail::unary("expm1", x); }
inline Scalar log(const Operand& x) { return detail::unary("log", x); }
inline Scalar log1p(const Operand& x) { return detail::unary("log1p", x); }
inline Scalar sin(const Operand& x) { return detail::unary("sin", x); }
inline Scalar cos(const Operand& x) { return detail::unary("cos", x); }
inline Scalar tan(const Operand& x) { return detail::unary("tan", x); }
inline Scalar atan2(const Operand& y, const Operand& x) { return detail::binary("atan2", y, x); }
inline Scalar atan(const Operand& x) { return detail::binary("atan2", x, Operand(1, x.where)); }
inline Scalar tanh(const Operand& x) { return detail::unary("tanh", x); }
inline Scalar abs(const Operand& x) { return detail::unary("abs", x); }
inline Scalar min(const Operand& a, const Operand& b) { return detail::binary("min", a, b); }
inline Scalar max(const Operand& a, const Operand& b) { return detail::binary("max", a, b); }
inline Scalar clamp(const Operand& x, const Operand& low, const Operand& high) {
  return min(detail::binary("max", x, low), high);
}

// x^n as products: exact, and smooth at 0 and for negative x.
inline Scalar pow(const Operand& x, int n) {
  return Scalar::from_handle(proxima_dsl_integer_power(x.handle, n, x.where.file, x.where.line));
}
inline Scalar square(const Operand& x) { return pow(x, 2); }
// x^y for x > 0; a whole number y is taken as an integer power.
inline Scalar pow(const Operand& x, double y) {
  const int n = y > -1000 && y < 1000 ? static_cast<int>(y) : 0;
  return static_cast<double>(n) == y ? pow(x, n) : detail::binary("pow", x, Operand(y, x.where));
}
inline Scalar pow(const Operand& x, const Scalar& y) { return detail::binary("pow", x, Operand(y, x.where)); }

}  // namespace proxima::dsl
