#include "compiler/derive/divided_difference_rules.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "compiler/derive/divided_difference.hpp"

namespace proxima::derive {
namespace {

using ir::Op;
using E = ir::Expression;

E equal(E a, E b) { return a.apply(Op::equal, {b}); }
E equal(E a, double b) { return equal(a, a.constant(b)); }
E both(E a, E b) { return a.apply(Op::logical_and, {b}); }
E either(E a, E b) { return a.apply(Op::logical_or, {b}); }
E magnitude(E x) { return x.apply(Op::abs); }
E larger(E a, E b) { return a.apply(Op::max, {b}); }

Rate scaled(E factor, const Rate& rate) { return rate ? factor * *rate : rate; }
Rate sum(const Rate& a, const Rate& b) { return a && b ? *a + *b : a ? a : b; }
Rate difference(const Rate& a, const Rate& b) { return a && b ? *a - *b : b ? -*b : a; }

// f(z)/z for a function with f(z) = z + O(z^2).
E over_itself(Op f, E z) { return select(equal(z, 0), 1, z.apply(f) / z); }

E plain(const Ends& e) { return (e.to - e.from) / e.delta; }

Rate add(const Ends& e) { return sum(e.a.rate, e.b.rate); }
Rate sub(const Ends& e) { return difference(e.a.rate, e.b.rate); }
Rate neg(const Ends& e) { return -*e.a.rate; }

Rate mul(const Ends& e) {
  if (e.a.from.node == e.b.from.node) return (e.a.from + e.a.to) * *e.a.rate;
  return sum(scaled(e.a.to, e.b.rate), scaled(e.b.from, e.a.rate));
}
Rate div(const Ends& e) { return *difference(e.a.rate, scaled(e.from, e.b.rate)) / e.b.to; }

Rate sqrt(const Ends& e) { return *e.a.rate / (e.from + e.to); }
Rate cbrt(const Ends& e) { return *e.a.rate / (e.from * e.from + e.from * e.to + e.to * e.to); }

// From the end where the exponential is larger: nothing overflows that is finite in the end.
Rate exponential(const Ends& e, E larger_end) {
  return larger_end * over_itself(Op::expm1, -magnitude(e.gap(e.a))) * *e.a.rate;
}
Rate exp(const Ends& e) { return exponential(e, larger(e.from, e.to)); }
Rate expm1(const Ends& e) { return exponential(e, larger(e.a.from, e.a.to).apply(Op::exp)); }

// (log|x'| - log|x|)/delta for x and x' of one sign: log1p of the gap relative to the end nearer to zero, so never of
// a number near -1.
E logarithm(E from, E to, E rate, E delta) {
  const E nearer = select(less(magnitude(from), magnitude(to)), from, to);
  return rate / nearer * over_itself(Op::log1p, magnitude(delta * rate / nearer));
}
Rate log(const Ends& e) { return logarithm(e.a.from, e.a.to, *e.a.rate, e.delta); }
Rate log1p(const Ends& e) { return logarithm(1 + e.a.from, 1 + e.a.to, *e.a.rate, e.delta); }

// With one sign at both ends f' = f exp(delta mu), mu = b' (log|a'| - log|a|)/delta + log(a) db. Where a is 0 at both
// ends the derivative, by the base only as in the operator table. Else (one end 0, or opposite signs) the plain one.
Rate pow(const Ends& e) {
  const E zero = e.delta.constant(0);
  const E positive = both(less(zero, e.a.from), less(zero, e.a.to));
  E negative = both(less(e.a.from, zero), less(e.a.to, zero));
  Rate exponent, at_zero = zero;
  if (e.a.rate) {
    exponent = e.b.to * logarithm(e.a.from, e.a.to, *e.a.rate, e.delta);
    const bool flat = e.b.from.graph->is_constant(e.b.from.node) && e.b.from.graph->constant_value(e.b.from.node) > 1;
    if (!flat) at_zero = e.b.from * e.a.from.apply(Op::pow, {e.b.from - 1}) * *e.a.rate;
  }
  if (e.b.rate) {
    exponent = sum(exponent, select(positive, e.a.from.apply(Op::log) * *e.b.rate, zero));
    negative = both(negative, equal(e.b.from, e.b.to));
  }
  const E farther = select(less(magnitude(e.from), magnitude(e.to)), e.to, e.from);
  const E smooth = farther * over_itself(Op::expm1, -magnitude(e.delta * *exponent)) * *exponent;
  const E else_plain = select(both(equal(e.a.from, 0), equal(e.a.to, 0)), *at_zero, plain(e));
  return select(either(positive, negative), smooth, else_plain);
}

// Sum formulas, Abramowitz and Stegun, Handbook of Mathematical Functions, 4.3.34 to 4.3.38 and 4.5.
E half_gap_sine(const Ends& e) { return over_itself(Op::sin, 0.5 * e.gap(e.a)) * *e.a.rate; }
E middle(const Ends& e) { return 0.5 * (e.a.from + e.a.to); }
Rate sin(const Ends& e) { return middle(e).apply(Op::cos) * half_gap_sine(e); }
Rate cos(const Ends& e) { return -(middle(e).apply(Op::sin) * half_gap_sine(e)); }
Rate tan(const Ends& e) {
  const E cosines = e.a.from.apply(Op::cos) * e.a.to.apply(Op::cos);
  return over_itself(Op::sin, e.gap(e.a)) * *e.a.rate / cosines;
}
Rate tanh(const Ends& e) {
  const E complement = 0.5 * ((1 - e.from) * (1 + e.to) + (1 + e.from) * (1 - e.to));  // 1 - f f'
  return complement * over_itself(Op::tanh, e.gap(e.a)) * *e.a.rate;
}

// The angle between (b, a) and (b', a'), where it is acute and does not cross the cut of atan2.
Rate atan2(const Ends& e) {
  const E rate = *difference(scaled(e.b.from, e.a.rate), scaled(e.a.from, e.b.rate));
  const E sine = e.delta * rate, cosine = e.a.from * e.a.to + e.b.from * e.b.to;
  const E angle_over_sine = select(equal(sine, 0), 1 / cosine, sine.apply(Op::atan2, {cosine}) / sine);
  const E near = both(less(0, cosine), less(magnitude(e.to - e.from), 3));
  return select(near, rate * angle_over_sine, plain(e));
}

Rate abs(const Ends& e) {
  const E total = magnitude(e.a.from) + magnitude(e.a.to);
  return select(equal(total, 0), 0, *e.a.rate * ((e.a.from + e.a.to) / total));
}

// Of min and max. Where the ends take different operands, the result follows each of them for a part of the way, which
// ends where they are equal; those parts are as the distances of the operands at both ends.
Rate extremum(const Ends& e, E first_from, E first_to) {
  const E da = e.rate(e.a), db = e.rate(e.b);
  const E from = magnitude(e.a.from - e.b.from), to = magnitude(e.a.to - e.b.to);
  const E mixed = (select(first_from, da, db) * from + select(first_to, da, db) * to) / (from + to);
  return select(both(first_from, first_to), da, select(either(first_from, first_to), mixed, db));
}
Rate min(const Ends& e) { return extremum(e, less(e.a.from, e.b.from), less(e.a.to, e.b.to)); }
Rate max(const Ends& e) { return extremum(e, less(e.b.from, e.a.from), less(e.b.to, e.a.to)); }

Rate select_branch(const Ends& e) {
  const E taken = select(e.condition.from, e.rate(e.a), e.rate(e.b));
  if (e.condition.from.node == e.condition.to.node) return taken;
  const E both_true = both(e.condition.from, e.condition.to), one_true = either(e.condition.from, e.condition.to);
  return select(both_true, taken, select(one_true, plain(e), taken));
}

Rate gap(const Ends& e) { return 0.5 * ((e.a.from - e.b.from) + (e.a.to - e.b.to)) * *difference(e.a.rate, e.b.rate); }

struct Row {
  Op op;
  QuotientRule rule;
  std::string_view words;
};
constexpr Row rows[] = {
    {Op::add, add, "da + db"},
    {Op::sub, sub, "da - db"},
    {Op::mul, mul, "a' db + b da"},
    {Op::div, div, "(da - f db)/b'"},
    {Op::neg, neg, "-da"},
    {Op::sqrt, sqrt, "da/(f + f')"},
    {Op::cbrt, cbrt, "da/(f^2 + f f' + f'^2)"},
    {Op::exp, exp, "max(f, f') expm1(-|z|)/(-|z|) da, z = a' - a"},
    {Op::expm1, expm1, "exp(max(a, a')) expm1(-|z|)/(-|z|) da, z = a' - a"},
    {Op::log, log, "log1p(z)/z da/m, m = min(a, a'), z = |a' - a|/m"},
    {Op::log1p, log1p, "log1p(z)/z da/m, m = 1 + min(a, a'), z = |a' - a|/m"},
    {Op::pow, pow, "f expm1(z)/z m, z = delta m, m = b' (log a' - log a)/delta + log(a) db"},
    {Op::sin, sin, "cos((a + a')/2) sin(z)/z da, z = (a' - a)/2"},
    {Op::cos, cos, "-sin((a + a')/2) sin(z)/z da, z = (a' - a)/2"},
    {Op::tan, tan, "sin(z)/z da/(cos a cos a'), z = a' - a"},
    {Op::atan2, atan2, "atan2(s, c)/s (b da - a db), s = a' b - a b', c = a a' + b b'"},
    {Op::tanh, tanh, "(1 - f f') tanh(z)/z da, z = a' - a"},
    {Op::abs, abs, "(a + a')/(|a| + |a'|) da"},
    {Op::min, min, "that of the smaller one; across a tie both, weighted by their distances at the ends"},
    {Op::max, max, "that of the larger one; across a tie both, weighted by their distances at the ends"},
    {Op::select, select_branch, "of the branch taken; (f' - f)/delta when the ends take different ones"},
    {Op::gap, gap, "((a - b) + (a' - b'))/2 (da - db)"},
};

const Row* row_of(Op op) {
  const auto* const row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.op == op; });
  return row == std::end(rows) ? nullptr : row;
}

}  // namespace

QuotientRule quotient_rule(Op op) {
  const Row* const row = row_of(op);
  return row == nullptr ? nullptr : row->rule;
}

std::string_view divided_difference_in_words(Op op) {
  const Row* const row = row_of(op);
  return row == nullptr ? std::string_view() : row->words;
}

}  // namespace proxima::derive
