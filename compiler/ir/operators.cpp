#include "compiler/ir/operators.hpp"

#include <array>
#include <cmath>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/spectral.hpp"

namespace proxima::ir {
namespace {

using E = Expression;
using Rule = NodeId (*)(Graph&, NodeId, const NodeId*, int);

// A rule as it is written in the table: partials as formulas of the operands and of the result itself.
template <auto partial>
NodeId unary(Graph& graph, NodeId self, const NodeId* x, int) {
  return partial(E{&graph, x[0]}, E{&graph, self}).node;
}
template <auto partial_a, auto partial_b>
NodeId binary(Graph& graph, NodeId self, const NodeId* x, int k) {
  const E a{&graph, x[0]}, b{&graph, x[1]}, result{&graph, self};
  return (k == 0 ? partial_a(a, b, result) : partial_b(a, b, result)).node;
}
NodeId branch(Graph& graph, NodeId, const NodeId* x, int k) {
  if (k == 0) return graph.constant(0);
  return select(E{&graph, x[0]}, k == 1 ? 1.0 : 0.0, k == 1 ? 0.0 : 1.0).node;
}

// One generic formula gives both precisions.
struct Evaluation {
  double (*evaluate)(const double*);
  long double (*extended)(const long double*);
};
template <class F>
constexpr Evaluation both(F f) {
  return {f, f};
}

constexpr Type N = Type::number, T = Type::truth;

constexpr Operator row(Op op, std::string_view name, std::uint8_t arity, Type operand, Type result, bool commutative,
                       bool exact, Evaluation value, Rule partial, std::string_view derivative, std::string_view domain,
                       std::string_view singular, int cost, Form form, std::string_view llvm, std::string_view c) {
  return {op,
          name,
          arity,
          {operand, operand, operand},
          result,
          0,
          commutative,
          exact,
          value.evaluate,
          value.extended,
          nullptr,
          nullptr,
          partial,
          derivative,
          domain,
          singular,
          cost,
          form,
          llvm,
          c};
}
constexpr Operator select_row() {
  Operator r =
      row(Op::select, "select", 3, N, N, false, true, both([](auto* x) { return x[0] != 0 ? x[1] : x[2]; }), branch,
          "of the branch taken", "all", "the branch not taken has no influence, even where it is inf or NaN", 1,
          Form::select, "select", "($0 ? $1 : $2)");
  r.operand_types[0] = T;
  return r;
}

// A composite operator of numbers, or of a bundle and numbers.
template <class F>
constexpr Operator bundle_row(Op op, std::string_view name, std::uint8_t arity, Type first, std::uint8_t parts,
                              F evaluate, std::string_view derivative, std::string_view domain,
                              std::string_view singular, int cost) {
  Operator r = row(op, name, arity, Type::number, Type::bundle, false, false, {nullptr, nullptr}, nullptr, derivative,
                   domain, singular, cost, Form::composite, "", "");
  r.operand_types[0] = first;
  r.parts = parts;
  r.evaluate_parts = evaluate;
  r.evaluate_parts_extended = evaluate;
  return r;
}
constexpr Operator loop_row() {
  Operator r = row(Op::loop, "loop", varying, Type::number, Type::bundle, false, false, {nullptr, nullptr}, nullptr,
                   "0 by convention: one explicit Newton step after it carries the derivative", "as its body", "", 0,
                   Form::loop, "", "");
  r.parts = varying;
  return r;
}

using std::atan2, std::cbrt, std::cos, std::exp, std::expm1, std::fabs, std::log, std::log1p, std::pow, std::sin,
    std::sqrt, std::tan, std::tanh;

constexpr bool commutes = true, ordered = false;
constexpr bool exact = true, rounded = false;
template <class Number>
Number truth(const Number*, bool value) {
  return value ? Number(1) : Number(0);
}
constexpr auto none = [](auto* x) { return x[0]; };

// clang-format off
constexpr std::array<Operator, all_op_count> table = {{
  row(Op::constant, "constant", 0, N, N, ordered, rounded, both(none), nullptr,
      "0", "finite values", "", 0, Form::leaf, "", ""),
  row(Op::input, "input", 0, N, N, ordered, rounded, both(none), nullptr,
      "1", "all", "", 0, Form::leaf, "", ""),

  row(Op::add, "add", 2, N, N, commutes, exact, both([](auto* x) { return x[0] + x[1]; }),
      binary<[](E a, E, E) { return a.constant(1); }, [](E a, E, E) { return a.constant(1); }>,
      "1; 1", "all", "", 1, Form::arithmetic, "fadd", "($0 + $1)"),
  row(Op::sub, "sub", 2, N, N, ordered, exact, both([](auto* x) { return x[0] - x[1]; }),
      binary<[](E a, E, E) { return a.constant(1); }, [](E a, E, E) { return a.constant(-1); }>,
      "1; -1", "all", "", 1, Form::arithmetic, "fsub", "($0 - $1)"),
  row(Op::mul, "mul", 2, N, N, commutes, exact, both([](auto* x) { return x[0] * x[1]; }),
      binary<[](E, E b, E) { return b; }, [](E a, E, E) { return a; }>,
      "b; a", "all", "", 1, Form::arithmetic, "fmul", "($0 * $1)"),
  row(Op::div, "div", 2, N, N, ordered, exact, both([](auto* x) { return x[0] / x[1]; }),
      binary<[](E, E b, E) { return 1 / b; }, [](E, E b, E self) { return -(self * (1 / b)); }>,
      "1/b; -(a/b)/b", "b != 0", "b = 0: inf or NaN", 8, Form::arithmetic, "fdiv", "($0 / $1)"),
  row(Op::neg, "neg", 1, N, N, ordered, exact, both([](auto* x) { return -x[0]; }),
      unary<[](E x, E) { return x.constant(-1); }>,
      "-1", "all", "", 1, Form::arithmetic, "fneg", "(-$0)"),

  row(Op::sqrt, "sqrt", 1, N, N, ordered, exact, both([](auto* x) { return sqrt(x[0]); }),
      unary<[](E, E self) { return 0.5 / self; }>,
      "1/(2 sqrt(x))", "x >= 0", "x = 0: value 0, derivative inf", 12, Form::intrinsic, "llvm.sqrt", "sqrt($0)"),
  row(Op::cbrt, "cbrt", 1, N, N, ordered, rounded, both([](auto* x) { return cbrt(x[0]); }),
      unary<[](E, E self) { return 1 / (3 * (self * self)); }>,
      "1/(3 cbrt(x)^2)", "all", "x = 0: value 0, derivative inf", 25, Form::library, "cbrt", "cbrt($0)"),
  row(Op::exp, "exp", 1, N, N, ordered, rounded, both([](auto* x) { return exp(x[0]); }),
      unary<[](E, E self) { return self; }>,
      "exp(x)", "all", "", 20, Form::library, "exp", "exp($0)"),
  row(Op::expm1, "expm1", 1, N, N, ordered, rounded, both([](auto* x) { return expm1(x[0]); }),
      unary<[](E, E self) { return self + 1; }>,
      "expm1(x) + 1", "all", "", 25, Form::library, "expm1", "expm1($0)"),
  row(Op::log, "log", 1, N, N, ordered, rounded, both([](auto* x) { return log(x[0]); }),
      unary<[](E x, E) { return 1 / x; }>,
      "1/x", "x > 0", "x = 0: -inf; x < 0: NaN", 20, Form::library, "log", "log($0)"),
  row(Op::log1p, "log1p", 1, N, N, ordered, rounded, both([](auto* x) { return log1p(x[0]); }),
      unary<[](E x, E) { return 1 / (1 + x); }>,
      "1/(1 + x)", "x > -1", "x = -1: -inf; x < -1: NaN", 25, Form::library, "log1p", "log1p($0)"),
  row(Op::pow, "pow", 2, N, N, ordered, rounded, both([](auto* x) { return pow(x[0], x[1]); }),
      binary<[](E a, E b, E) { return b * a.apply(Op::pow, {b - 1}); },
             [](E a, E, E self) { return select(less(0, a), self * a.apply(Op::log), 0); }>,
      "b a^(b-1); a^b log(a)", "a > 0", "a = 0: as a^b; the derivative by b is 0 there; a < 0: NaN unless b is whole",
      60, Form::library, "pow", "pow($0, $1)"),

  row(Op::sin, "sin", 1, N, N, ordered, rounded, both([](auto* x) { return sin(x[0]); }),
      unary<[](E x, E) { return x.apply(Op::cos); }>,
      "cos(x)", "all", "", 25, Form::library, "sin", "sin($0)"),
  row(Op::cos, "cos", 1, N, N, ordered, rounded, both([](auto* x) { return cos(x[0]); }),
      unary<[](E x, E) { return -x.apply(Op::sin); }>,
      "-sin(x)", "all", "", 25, Form::library, "cos", "cos($0)"),
  row(Op::tan, "tan", 1, N, N, ordered, rounded, both([](auto* x) { return tan(x[0]); }),
      unary<[](E, E self) { return 1 + self * self; }>,
      "1 + tan(x)^2", "x != pi/2 + k pi", "grows without bound at the poles", 35, Form::library, "tan", "tan($0)"),
  row(Op::atan2, "atan2", 2, N, N, ordered, rounded, both([](auto* x) { return atan2(x[0], x[1]); }),
      binary<[](E a, E b, E) { return b / (a * a + b * b); }, [](E a, E b, E) { return -(a / (a * a + b * b)); }>,
      "b/(a^2 + b^2); -a/(a^2 + b^2)", "all", "a = b = 0: derivative NaN; jumps by 2 pi across a = 0, b < 0", 40,
      Form::library, "atan2", "atan2($0, $1)"),
  row(Op::tanh, "tanh", 1, N, N, ordered, rounded, both([](auto* x) { return tanh(x[0]); }),
      unary<[](E, E self) { return (1 - self) * (1 + self); }>,
      "(1 - tanh(x))(1 + tanh(x))", "all", "", 35, Form::library, "tanh", "tanh($0)"),

  row(Op::abs, "abs", 1, N, N, ordered, exact, both([](auto* x) { return fabs(x[0]); }),
      unary<[](E x, E) { return select(less(0, x), 1, select(less(x, 0), -1, 0)); }>,
      "sign of x", "all", "x = 0: derivative 0", 1, Form::intrinsic, "llvm.fabs", "fabs($0)"),
  row(Op::min, "min", 2, N, N, ordered, exact, both([](auto* x) { return x[0] < x[1] ? x[0] : x[1]; }),
      binary<[](E a, E b, E) { return select(less(a, b), 1, 0); }, [](E a, E b, E) { return select(less(a, b), 0, 1); }>,
      "of the smaller one", "all", "a = b, or one is NaN: that of b", 1, Form::comparison_select, "olt", "($0 < $1 ? $0 : $1)"),
  row(Op::max, "max", 2, N, N, ordered, exact, both([](auto* x) { return x[1] < x[0] ? x[0] : x[1]; }),
      binary<[](E a, E b, E) { return select(less(b, a), 1, 0); }, [](E a, E b, E) { return select(less(b, a), 0, 1); }>,
      "of the larger one", "all", "a = b, or one is NaN: that of b", 1, Form::comparison_select, "ogt", "($0 > $1 ? $0 : $1)"),

  row(Op::less, "less", 2, N, T, ordered, rounded, both([](auto* x) { return truth(x, x[0] < x[1]); }), nullptr,
      "", "all", "false when an operand is NaN", 1, Form::comparison, "olt", "($0 < $1)"),
  row(Op::less_equal, "less_equal", 2, N, T, ordered, rounded, both([](auto* x) { return truth(x, x[0] <= x[1]); }), nullptr,
      "", "all", "false when an operand is NaN", 1, Form::comparison, "ole", "($0 <= $1)"),
  row(Op::equal, "equal", 2, N, T, commutes, rounded, both([](auto* x) { return truth(x, x[0] == x[1]); }), nullptr,
      "", "all", "false when an operand is NaN", 1, Form::comparison, "oeq", "($0 == $1)"),
  row(Op::logical_and, "and", 2, T, T, commutes, rounded, both([](auto* x) { return x[0] * x[1]; }), nullptr,
      "", "all", "", 1, Form::logic, "and", "($0 && $1)"),
  row(Op::logical_or, "or", 2, T, T, commutes, rounded, both([](auto* x) { return x[0] + x[1] - x[0] * x[1]; }), nullptr,
      "", "all", "", 1, Form::logic, "or", "($0 || $1)"),
  row(Op::logical_not, "not", 1, T, T, ordered, rounded, both([](auto* x) { return 1 - x[0]; }), nullptr,
      "", "all", "", 1, Form::logic, "xor", "(!$0)"),
  select_row(),

  row(Op::gap, "gap", 2, N, N, ordered, rounded, both([](auto* x) { return (x[0] - x[1]) * (x[0] - x[1]) / 2; }),
      binary<[](E a, E b, E) { return a - b; }, [](E a, E, E) { return a.constant(0); }>,
      "a - b; 0: b is the point closest to a (envelope theorem)", "all", "", 3, Form::composite, "", ""),
  row(Op::part, "part", 1, Type::bundle, N, ordered, rounded, both(none), nullptr,
      "by the rule of the bundle", "all", "", 0, Form::part, "", ""),
  bundle_row(Op::svd, "svd", 9, N, 21, [](auto* x, auto* parts) { signed_svd(x, parts); },
      "of the singular values: U diag(.) V^T; U and V have none", "finite entries",
      "equal singular values: U and V are some of many; sigma_2 = -sigma_3: no derivative of a function that depends on the sign",
      600),
  bundle_row(Op::polar, "polar", 9, N, 9, [](auto* x, auto* parts) { polar_rotation(x, parts); },
      "R [G^-1 axl(R^T dA - dA^T R)]_x, G = tr(R^T A) 1 - R^T A", "finite entries",
      "sigma_2 = -sigma_3: some of many, derivative inf or NaN", 400),
  bundle_row(Op::eigen, "eigen", 6, N, 12, [](auto* x, auto* parts) { symmetric_eigen(x, parts); },
      "of the eigenvalues: Q diag(.) Q^T; Q has none", "finite entries",
      "equal eigenvalues: Q is one of many", 400),
  bundle_row(Op::svd_compose, "svd_compose", 10, Type::bundle, 9, [](auto* x, auto* parts) { svd_compose(x, parts); },
      "by the pair quotients among its operands", "all", "", 45),
  bundle_row(Op::eigen_compose, "eigen_compose", 7, Type::bundle, 6, [](auto* x, auto* parts) { eigen_compose(x, parts); },
      "by the pair quotients among its operands", "all", "", 30),
  loop_row(),
}};
// clang-format on

constexpr bool rows_are_in_order() {
  for (int i = 0; i < all_op_count; ++i)
    if (static_cast<int>(table[static_cast<std::size_t>(i)].op) != i) return false;
  return true;
}
static_assert(rows_are_in_order(), "the rows of the operator table must follow the order of enum Op");

}  // namespace

std::span<const Operator, all_op_count> all_operators() { return table; }

}  // namespace proxima::ir
