#include "compiler/ir/closest_point.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "compiler/ir/expression.hpp"
#include "compiler/ir/loop_builder.hpp"

namespace proxima::ir {
namespace {

using Triple = std::array<Expression, 3>;
constexpr std::array<std::array<std::size_t, 3>, 3> pairs = {{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}}};  // i, j, the other

Expression min(Expression a, Expression b) { return a.apply(Op::min, {b}); }
Expression max(Expression a, Expression b) { return a.apply(Op::max, {b}); }
Expression abs(Expression a) { return a.apply(Op::abs); }
Expression both(Expression a, Expression b) { return a.apply(Op::logical_and, {b}); }
Expression either(Expression a, Expression b) { return a.apply(Op::logical_or, {b}); }
Expression negation(Expression a) { return a.apply(Op::logical_not); }

// The 3x3 matrix; a third column normal to the two of a 3x2 matrix, which their projections do not depend on.
std::vector<NodeId> three_columns(Graph& graph, std::span<const NodeId> A) {
  if (A.size() == 9) return {A.begin(), A.end()};
  if (A.size() != 6) throw std::logic_error("closest point: a matrix of " + std::to_string(A.size()) + " entries");
  const auto a = [&](std::size_t i) { return Expression{&graph, A[2 * i]}; };
  const auto b = [&](std::size_t i) { return Expression{&graph, A[2 * i + 1]}; };
  std::vector<NodeId> result;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    result.insert(result.end(), {a(i).node, b(i).node, (a(j) * b(k) - a(k) * b(j)).node});
  }
  return result;
}

std::vector<NodeId> entries(Graph& graph, NodeId bundle, std::size_t columns) {
  std::vector<NodeId> result;
  for (std::uint32_t i = 0; i < 3; ++i)
    for (std::uint32_t j = 0; j < columns; ++j) result.push_back(graph.part(bundle, 3 * i + j));
  return result;
}

Triple stretches(Graph& graph, NodeId svd) {
  return {Expression{&graph, graph.part(svd, 0)}, Expression{&graph, graph.part(svd, 1)},
          Expression{&graph, graph.part(svd, 2)}};
}

NodeId compose(Graph& graph, NodeId svd, const Triple& s, const Triple& minus, const Triple& plus) {
  std::vector<NodeId> operands = {svd};
  for (const Triple& triple : {s, minus, plus})
    for (const Expression& value : triple) operands.push_back(value.node);
  return graph.apply(Op::svd_compose, operands);
}

// The iteration for det = a. With s_i = exp(u_i) on the plane u_0 + u_1 + u_2 = log a, half the squared distance
// 1/2 sum (s_i - sigma_i)^2 has the gradient g_i = s_i (s_i - sigma_i) and the Hessian diag(h_i),
// h_i = s_i (2 s_i - sigma_i): Newton in u_0 and u_1.
struct Reduced {
  Triple g, h;
  Expression determinant;  // of the Hessian in u_0, u_1

  Reduced(const Triple& s, const Triple& sigma) {
    for (std::size_t i = 0; i < 3; ++i) {
      g[i] = s[i] * (s[i] - sigma[i]);
      h[i] = s[i] * (2 * s[i] - sigma[i]);
    }
    determinant = h[0] * h[1] + h[0] * h[2] + h[1] * h[2];
  }
};

Expression squared_distance(const Triple& s, const Triple& sigma) {
  const auto square = [&](std::size_t i) { return (s[i] - sigma[i]) * (s[i] - sigma[i]); };
  return square(0) + square(1) + square(2);
}

// s exp(d), to second order in d; |d| < 2.
Expression multiplied(Expression s, Expression d) { return s * ((1 + 0.5 * d) / (1 - 0.5 * d)); }

Triple with_determinant(Expression a, Expression s0, Expression s1) { return {s0, s1, a / (s0 * s1)}; }

// The largest of 1, 1/2, 1/4.. for which the step d brings the matrix nearer.
Expression backtracked(const Triple& s, const std::array<Expression, 2>& d, Expression slope, const Triple& sigma,
                       Expression a) {
  LoopBuilder loop(*a.graph);
  const Expression t = loop.carry(a.constant(1));
  const auto in = [&](Expression value) { return loop.capture(value); };
  const Triple target = {in(sigma[0]), in(sigma[1]), in(sigma[2])};
  const Expression s0 = in(s[0]), s1 = in(s[1]), d0 = in(d[0]), d1 = in(d[1]), det = in(a);
  const Expression before = in(squared_distance(s, sigma)), rate = in(slope);
  const Expression after =
      squared_distance(with_determinant(det, multiplied(s0, t * d0), multiplied(s1, t * d1)), target);
  const Expression allowed = before + 1e-4 * (t * rate) + 1e-6 * (abs(rate) + 1e-6 * before);
  return loop.finish({0.5 * t}, negation(after.apply(Op::less_equal, {allowed})), 30)[0];
}

Triple stretches_with_determinant(const Triple& sigma, Expression a) {
  // Start from the given stretches, and from small ones a little larger; the volume is lost in the smallest, which is
  // where the minimum is, and gained in all of them alike.
  const Expression least = 0.2 * a.apply(Op::cbrt);
  const Triple positive = {max(sigma[0], least), max(sigma[1], least), max(sigma[2], least)};
  const Expression growth = (a / (positive[0] * positive[1] * positive[2])).apply(Op::cbrt);
  const Expression factor = max(growth, a.constant(1));

  LoopBuilder loop(*a.graph);
  const Expression s0 = loop.carry(factor * positive[0]), s1 = loop.carry(factor * positive[1]);
  const Expression size = loop.carry(a.constant(2)), previous = loop.carry(a.constant(8));
  const Triple target = {loop.capture(sigma[0]), loop.capture(sigma[1]), loop.capture(sigma[2])};
  const Expression det = loop.capture(a);
  const Triple s = with_determinant(det, s0, s1);

  Reduced newton(s, target);
  const Expression convex = both(less(0, newton.determinant), less(0, newton.h[0] + newton.h[2]));
  Reduced safe = newton;
  for (std::size_t i = 0; i < 3; ++i)
    safe.h[i] = select(convex, newton.h[i], s[i] * max(abs(2 * s[i] - target[i]), s[i]));
  const auto& h = safe.h;
  const Expression determinant = h[0] * h[1] + h[0] * h[2] + h[1] * h[2];
  const Expression G0 = newton.g[0] - newton.g[2], G1 = newton.g[1] - newton.g[2];
  const Expression d0 = (h[2] * G1 - (h[1] + h[2]) * G0) / determinant;
  const Expression d1 = (h[2] * G0 - (h[0] + h[2]) * G1) / determinant;
  const Expression longest = max(max(abs(d0), abs(d1)), abs(d0 + d1));
  const Expression shorten = min(1 / longest, det.constant(1));  // 1 also where the step is 0
  const std::array step = {shorten * d0, shorten * d1};
  const Expression t = backtracked(s, step, 2 * (G0 * step[0] + G1 * step[1]), target, det);
  // Until the step is negligible, or no longer shrinks because it is all rounding.
  const Expression again = both(less(1e-9, size), either(less(1e-3, size), less(size, 0.5 * previous)));
  const auto after = loop.finish({multiplied(s0, t * step[0]), multiplied(s1, t * step[1]), longest, size}, again, 60);
  return with_determinant(a, after[0], after[1]);
}

}  // namespace

std::vector<NodeId> closest_rotation(Graph& graph, std::span<const NodeId> A) {
  return entries(graph, graph.apply(Op::polar, three_columns(graph, A)), A.size() / 3);
}

std::vector<NodeId> closest_within_stretches(Graph& graph, std::span<const NodeId> A, NodeId lower, NodeId upper) {
  const NodeId svd = graph.apply(Op::svd, three_columns(graph, A));
  const Triple sigma = stretches(graph, svd);
  const Expression low{&graph, lower}, high{&graph, upper};
  Triple s, minus, plus;
  for (std::size_t i = 0; i < 3; ++i) s[i] = max(min(sigma[i], high), low);
  for (std::size_t k = 0; k < 3; ++k) {
    // The plain quotient: exactly 1 between the bounds and 0 beyond them. Without a gap, the derivative.
    const auto [i, j, other] = pairs[k];
    const Expression gap = sigma[i] - sigma[j];
    const Expression inside = both(less(low, sigma[j]), less(sigma[j], high));
    minus[k] = select(less(0, gap), (s[i] - s[j]) / gap, select(inside, 1.0, 0.0));
    plus[k] = (s[i] + s[j]) / (sigma[i] + sigma[j]);
  }
  return entries(graph, compose(graph, svd, s, minus, plus), A.size() / 3);
}

std::vector<NodeId> closest_with_determinant(Graph& graph, std::span<const NodeId> A, NodeId determinant) {
  if (A.size() != 9) throw std::logic_error("closest point: the determinant of a matrix that is not 3x3");
  const NodeId svd = graph.apply(Op::svd, A);
  const Triple sigma = stretches(graph, svd);
  const Expression a{&graph, determinant};
  const Triple start = stretches_with_determinant(sigma, a);

  // One Newton step, in which only sigma and a have a derivative: the inverse of the Hessian and the rest are frozen.
  const Reduced at(start, sigma);
  const auto frozen = without_derivative({start[0], start[1], start[2], at.h[2], (at.h[1] + at.h[2]) / at.determinant,
                                          -at.h[2] / at.determinant, (at.h[0] + at.h[2]) / at.determinant});
  const Triple s0 = {frozen[0], frozen[1], frozen[2]};
  const Reduced here(s0, sigma);
  const Expression volume = s0[0] * s0[1] * s0[2];
  const Expression q = (a - volume) / volume;  // the change of log det
  const Expression r0 = frozen[3] * q - (here.g[0] - here.g[2]), r1 = frozen[3] * q - (here.g[1] - here.g[2]);
  const Expression d0 = frozen[4] * r0 + frozen[5] * r1, d1 = frozen[5] * r0 + frozen[6] * r1;
  const Triple s = {s0[0] + s0[0] * d0, s0[1] + s0[1] * d1, s0[2] + s0[2] * (q - d0 - d1)};

  // s_i - sigma_i = m s_j s_k with one m for all, so (s_i -+ s_j)(1 +- m s_k) = sigma_i -+ sigma_j.
  const Expression m = (here.g[0] + here.g[1] + here.g[2]) / (3 * volume);
  Triple minus, plus;
  for (std::size_t k = 0; k < 3; ++k) {
    minus[k] = 1 / (1 + m * s0[pairs[k][2]]);
    plus[k] = 1 / (1 - m * s0[pairs[k][2]]);
  }
  return entries(graph, compose(graph, svd, s, minus, plus), 3);
}

std::vector<NodeId> closest_on_sphere(Graph& graph, std::span<const NodeId> vector, NodeId radius) {
  const auto x = [&](std::size_t k) { return Expression{&graph, vector[k]}; };
  Expression square = x(0) * x(0);
  for (std::size_t k = 1; k < vector.size(); ++k) square = square + x(k) * x(k);
  const Expression r{&graph, radius}, length = square.apply(Op::sqrt);
  std::vector<NodeId> result;
  result.reserve(vector.size());
  for (std::size_t k = 0; k < vector.size(); ++k)
    result.push_back(select(less(0, square), r * (x(k) / length), k == 0 ? r : r.constant(0)).node);
  return result;
}

}  // namespace proxima::ir
