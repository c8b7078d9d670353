#include "compiler/derive/proximal_point.hpp"

#include <optional>

#include "compiler/derive/ldlt.hpp"
#include "compiler/ir/closest_point.hpp"
#include "compiler/ir/loop_builder.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::Energy;
using ir::Expression;
using ir::LoopBuilder;
using ir::Measure;
using ir::Op;

constexpr std::uint32_t max_iterations = 100, max_shifts = 40, max_halvings = 50;

Expression abs(Expression a) { return a.apply(Op::abs); }
Expression max(Expression a, Expression b) { return a.apply(Op::max, {b}); }
Expression both(Expression a, Expression b) { return a.apply(Op::logical_and, {b}); }
Expression either(Expression a, Expression b) { return a.apply(Op::logical_or, {b}); }
Expression negation(Expression a) { return a.apply(Op::logical_not); }
Expression equal(Expression a, Expression b) { return a.apply(Op::equal, {b}); }
Expression less_equal(Expression a, Expression b) { return a.apply(Op::less_equal, {b}); }
Expression norm(const Expressions& a) { return dot(a, a).apply(Op::sqrt); }

// The gap between 1 and the next larger number of whatever precision the kernel is compiled in: 4/3 - 1 is off by a
// third of it. From a number that is not known in advance, so that nothing is computed beforehand in another precision.
Expression epsilon(Expression number) {
  const Expression one = number / number;
  return abs(3 * ((4 * one) / 3 - one) - one);
}

Expressions plus(const Expressions& x, Expression t, const Expressions& d) {
  Expressions result;
  for (std::size_t k = 0; k < x.size(); ++k) result.push_back(x[k] + t * d[k]);
  return result;
}
Expressions minus(const Expressions& a, const Expressions& b) {
  Expressions result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(a[k] - b[k]);
  return result;
}

// psi(x) + w/2 |x - target|^2 and what Newton's method needs of it, in one graph.
struct Objective {
  const Potential& psi;
  Expressions target;
  Expression weight;
  Expressions arguments;

  Objective captured(LoopBuilder& loop) const {
    return {psi, loop.capture(target), loop.capture(weight), loop.capture(arguments)};
  }
  ir::Graph& graph() const { return *weight.graph; }
  Expression value(const Expressions& x) const {
    const Expressions apart = minus(x, target);
    return psi.value(graph(), x, arguments) + 0.5 * weight * dot(apart, apart);
  }
  Expressions pull(const Expressions& x) const {
    Expressions result;
    for (std::size_t k = 0; k < x.size(); ++k) result.push_back(weight * (x[k] - target[k]));
    return result;
  }
  Expressions hessian(const Expressions& x) const {
    Expressions upper = psi.hessian(graph(), x, arguments);
    for (std::size_t i = 0, k = 0; i < x.size(); k += x.size() - i, ++i) upper[k] = upper[k] + weight;
    return upper;
  }
  // What rounding the value may amount to.
  Expression noise(const Expressions& x, const Expressions& gradient) const {
    const Expression size = abs(psi.value(graph(), x, arguments)) + weight * (dot(x, x) + dot(target, target)) +
                            (dot(gradient, gradient) * dot(x, x)).apply(Op::sqrt);
    return 16 * (epsilon(weight) * size);
  }
};

struct Direction {
  Expressions d;
  Expression shift, pivot;  // what was added to the diagonal; the smallest pivot without it
};

// -(H + shift)^-1 g with the first of the shifts 0, w/100, w/50, .. for which the matrix is positive definite: a step
// of at least the length of Newton's away from a saddle point.
Direction newton_direction(const Expressions& hessian, const Expressions& gradient, Expression weight) {
  const std::size_t n = gradient.size();
  LoopBuilder loop(*weight.graph);
  const Expression zero = weight.constant(0), one = weight.constant(1);
  const Expression next_shift = loop.carry(zero);
  loop.carry(zero);                  // the shift of the last trip
  loop.carry(Expressions(n, zero));  // the direction
  const Expression smallest = loop.carry(-one), pivot = loop.carry(zero);
  Expressions shifted = loop.capture(hessian);
  const Expressions g = loop.capture(gradient);
  const Expression w = loop.capture(weight);

  for (std::size_t i = 0, k = 0; i < n; k += n - i, ++i) shifted[k] = shifted[k] + next_shift;
  const Ldlt factor(n, shifted);
  Expressions next = {max(0.01 * w, 2 * next_shift), next_shift};
  for (const Expression& entry : factor.solve(g)) next.push_back(-entry);
  next.push_back(factor.smallest_pivot());
  next.push_back(select(equal(next_shift, next_shift.constant(0)), factor.smallest_pivot(), pivot));
  const Expressions after = loop.finish(next, negation(less(1e-6 * w, smallest)), max_shifts);
  return {.d = {after.begin() + 2, after.begin() + 2 + static_cast<std::ptrdiff_t>(n)},
          .shift = after[1],
          .pivot = after[n + 3]};
}

// The largest of 1, 1/2, 1/4, .. for which the objective decreases enough along d, and is finite at all.
Expression step_length(const Objective& objective, const Expressions& x, const Expressions& d, Expression slope,
                       Expression noise) {
  LoopBuilder loop(objective.graph());
  const Expression t = loop.carry(slope.constant(1));
  const Expressions at = loop.capture(x), along = loop.capture(d);
  const Expression before = loop.capture(objective.value(x) + noise), rate = loop.capture(slope);
  const Objective inside = objective.captured(loop);
  const Expression allowed = before + 1e-4 * (t * rate);
  return loop.finish({0.5 * t}, negation(less_equal(inside.value(plus(at, t, along)), allowed)), max_halvings)[0];
}

// From `start`, where psi must be finite.
ProximalPoint proximal_point(ir::Graph& graph, const Potential& psi, const Expressions& target, Expression weight,
                             const Expressions& arguments, const Expressions& start) {
  const Expression zero = weight.constant(0), one = weight.constant(1);
  const Objective outside{psi, target, weight, arguments};
  LoopBuilder loop(graph);
  const Expressions x = loop.carry(start);
  const Expression iterations = loop.carry(zero), size = loop.carry(one), previous = loop.carry(one);
  const Expression pivot = loop.carry(zero);
  const Objective objective = outside.captured(loop);

  const Expressions stress = psi.gradient(loop.body(), x, objective.arguments);
  Expressions gradient;
  for (std::size_t k = 0; const Expression& pull : objective.pull(x)) gradient.push_back(stress[k++] + pull);
  Direction newton = newton_direction(objective.hessian(x), gradient, objective.weight);
  // A saddle point is left along the direction of negative curvature, but only if the step has a little of it.
  const Expression saddle = -1e-4 * objective.weight;
  const Expression nudge = select(less(newton.pivot, saddle), 1e-6 * norm(objective.target), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k)
    newton.d[k] = newton.d[k] + (k % 2 == 0 ? 1.0 : -1.0) / static_cast<double>(k + 1) * nudge;
  const Expression t = step_length(objective, x, newton.d, dot(gradient, newton.d), objective.noise(x, stress));

  // Convergence is quadratic where nothing was shifted or shortened: after a step of relative length s an error of the
  // order s^2 is left, unless the forces are far from balance, as close to a barrier. A step that no longer shrinks is
  // rounding.
  const Expression whole = both(equal(newton.shift, newton.shift.constant(0)), equal(t, t.constant(1)));
  const Expression relative = norm(newton.d) / (norm(x) + norm(objective.target));
  const Expression enough = 0.1 * epsilon(objective.weight).apply(Op::sqrt);
  const Expression moving = both(less(enough, size), either(less(1e-4, size), less(size, 0.5 * previous)));
  const Expression forces = norm(stress) + objective.weight * (norm(x) + norm(objective.target));
  const Expression unbalanced = less(1e-3 * forces, norm(gradient));
  // Where the minimum is a valley every step is shifted, and balance is all there is to reach.
  const Expression balanced = both(less(norm(gradient), 2 * (epsilon(objective.weight) * forces)), less(saddle, pivot));
  const Expression again =
      either(equal(iterations, iterations.constant(0)), both(negation(balanced), either(moving, unbalanced)));

  Expressions next = plus(x, t, newton.d);
  for (const Expression& value : {iterations + 1, select(whole, relative, 1.0), size, newton.pivot})
    next.push_back(value);
  const Expressions after = loop.finish(next, again, max_iterations);

  ProximalPoint result;
  const std::size_t n = x.size();
  result.x.assign(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(n));
  result.iterations = after[n];
  result.pivot = after[n + 3];
  const Expressions P = psi.gradient(graph, result.x, arguments), pull = outside.pull(result.x);
  const Expression terms = norm(P) + weight * (norm(result.x) + norm(target));
  const Expression defect = norm(plus(P, one, pull));
  result.residual = select(equal(terms, zero), zero, defect / terms);
  return result;
}

// Where to start: the target, or of the points on the way from it to `undeformed`, in halves, the first after which
// psi(x) + w/2 |x - target|^2 does not decrease any more. So a target outside the domain, or in it by a hair, is left
// for a point well inside.
Expressions start_in_domain(ir::Graph& graph, const Potential& psi, const Expressions& target, Expression weight,
                            const Expressions& arguments, const Expressions& undeformed) {
  LoopBuilder loop(graph);
  const Expression t = loop.carry(weight.constant(1));
  const Objective objective = Objective{psi, target, weight, arguments}.captured(loop);
  const Expressions base = loop.capture(undeformed), along = loop.capture(minus(target, undeformed));
  const auto value = [&](Expression share) { return objective.value(plus(base, share, along)); };
  const Expression again = negation(less_equal(value(t), value(0.5 * t)));
  const Expression share = loop.finish({0.5 * t}, again, max_halvings)[0];
  return plus(undeformed, share, minus(target, undeformed));
}

// The strain without deformation that is nearest to `strain`. Arguments as of strain_potential.
Expressions undeformed(const Energy& energy, const Expressions& strain, const Expressions& arguments) {
  ir::Graph& graph = *strain.front().graph;
  const auto rest = [&](ir::InputKind kind) -> std::optional<Expressions> {
    for (std::size_t k = 0; k < energy.inputs.size(); ++k) {
      if (energy.inputs[k].kind != kind) continue;
      const auto first = arguments.begin() + (energy.input_slot(k) - energy.strain_components());
      return Expressions(first, first + energy.inputs[k].components);
    }
    return {};
  };
  if (energy.measure == Measure::node_positions) return rest(ir::InputKind::rest_positions).value_or(strain);
  if (energy.measure == Measure::edge_vector) {
    const auto length = rest(ir::InputKind::rest_length);
    const ir::NodeId radius = length ? length->front().node : graph.constant(1);
    return expressions(graph, ir::closest_on_sphere(graph, nodes_of(strain), radius));
  }
  return expressions(graph, ir::closest_rotation(graph, nodes_of(strain)));
}

// The strain itself, but the one without deformation where psi is large there, or not finite: then a start on the way
// to it may be better. Made in the body of a loop, which is entered only for elements that need it.
Expressions undeformed_where_large(ir::Graph& graph, const Energy& energy, const Potential& psi,
                                   const Expressions& strain, Expression weight, const Expressions& arguments) {
  LoopBuilder loop(graph);
  const Expressions point = loop.carry(strain), from = loop.capture(strain), with = loop.capture(arguments);
  const Expression ordinary = 0.25 * (loop.capture(weight) * dot(from, from));
  const Expression large = negation(less(psi.value(loop.body(), point, with), ordinary));
  return loop.finish(undeformed(energy, from, with), large, 1);
}

}  // namespace

ProximalPoint principal_proximal_point(ir::Graph& graph, const Potential& psi, const Expressions& stretches,
                                       Expression weight, const Expressions& arguments) {
  const Expressions rotation(3, weight.constant(1));
  return proximal_point(graph, psi, stretches, weight, arguments,
                        start_in_domain(graph, psi, stretches, weight, arguments, rotation));
}

ProximalPoint strain_proximal_point(ir::Graph& graph, const Energy& energy, const Potential& psi,
                                    const Expressions& strain, Expression weight, const Expressions& arguments) {
  const Expressions inside = undeformed_where_large(graph, energy, psi, strain, weight, arguments);
  return proximal_point(graph, psi, strain, weight, arguments,
                        start_in_domain(graph, psi, strain, weight, arguments, inside));
}

}  // namespace proxima::derive
