#include "compiler/derive/pair_quotients.hpp"

#include <algorithm>
#include <array>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/divided_difference.hpp"
#include "compiler/derive/paths.hpp"
#include "compiler/derive/probe.hpp"
#include "compiler/ir/expression.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {
namespace {

using ir::NodeId;
using ir::Op;
using E = ir::Expression;

// Whether s_i and s_j change places, and with sign -1 their signs, when x_i and x_j do.
bool exchangeable(const ir::Graph& graph, std::array<NodeId, 2> s, std::array<NodeId, 2> x, long double sign) {
  if (!has_divided_difference(graph, s, x)) return false;
  auto probe = Probe::make(graph, s, x);
  if (!probe) return false;
  const auto exchanged = [sign](const Numbers& values) { return Numbers{sign * values[1], sign * values[0]}; };
  return agree([&](int sample) { return exchanged((*probe)(sample_numbers(sample, 2), sample)); },
               [&](int sample) { return (*probe)(exchanged(sample_numbers(sample, 2)), sample); });
}

// Of the formulas that make s of x: those whose value stays when x_i and x_j change places (and signs, with sign -1),
// as that of x_0 x_1 x_2. Only such as are analytic in x, so that a few points tell.
std::vector<NodeId> invariants(const ir::Graph& graph, NodeId s, std::array<NodeId, 2> x, long double sign) {
  constexpr std::array piecewise = {Op::abs, Op::min, Op::max, Op::select, Op::atan2};
  const std::vector<bool> between = nodes_between(graph, x, {&s, 1});
  std::vector<bool> analytic(between.size(), true);
  std::vector<NodeId> candidates;
  for (std::uint32_t i = 0; i < between.size(); ++i) {
    if (!between[i] || x[0].index == i || x[1].index == i) continue;
    analytic[i] = graph.type({i}) == ir::Type::number &&
                  std::find(piecewise.begin(), piecewise.end(), graph.node({i}).op) == piecewise.end();
    for (NodeId operand : graph.operands({i})) analytic[i] = analytic[i] && analytic[operand.index];
    if (analytic[i]) candidates.push_back({i});
  }
  auto probe = Probe::make(graph, candidates, x);
  if (!probe) return {};
  const std::vector<bool> stays = agree_each([&](int sample) { return (*probe)(sample_numbers(sample, 2), sample); },
                                             [&](int sample) {
                                               const Numbers at = sample_numbers(sample, 2);
                                               return (*probe)({sign * at[1], sign * at[0]}, sample);
                                             });
  std::vector<NodeId> result;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    if (stays[k]) result.push_back(candidates[k]);
  return result;
}

// (s_i - s_j)/(x_i - x_j), and for gaps below 1e-4 of x its limit, which at this distance is right to 1e-8: the mean of
// (d/dx_i - d/dx_j) s_i and (d/dx_j - d/dx_i) s_j.
NodeId guarded_minus(ir::Graph& graph, std::array<NodeId, 2> s, std::array<NodeId, 2> x) {
  const auto at = [&](NodeId node) { return E{&graph, node}; };
  const E gap = at(x[0]) - at(x[1]);
  const auto slopes = directional(graph, s, x, std::array{graph.constant(1), graph.constant(-1)});
  const E limit = 0.5 * (at(slopes[0]) - at(slopes[1]));
  const E size = at(x[0]).apply(Op::abs) + at(x[1]).apply(Op::abs);
  return select(less(1e-4 * size, gap.apply(Op::abs)), (at(s[0]) - at(s[1])) / gap, limit).node;
}

}  // namespace

std::vector<NodeId> minus_quotients(ir::Graph& graph, std::span<const NodeId> s, std::span<const NodeId> x) {
  std::vector<NodeId> result;
  for (auto [i, j] : pairs) {
    const std::array values = {s[i], s[j]}, ends = {x[i], x[j]}, moved = {x[j], x[i]};
    if (!exchangeable(graph, values, ends, 1)) {
      result.push_back(guarded_minus(graph, values, ends));
      continue;
    }
    const NodeId gap = (E{&graph, x[j]} - E{&graph, x[i]}).node;
    const std::array velocities = {graph.constant(1), graph.constant(-1)};
    result.push_back(
        divided_difference(graph, s.subspan(i, 1), ends, moved, velocities, gap, invariants(graph, s[i], ends, 1))[0]);
  }
  return result;
}

std::vector<NodeId> plus_quotients(ir::Graph& graph, std::span<const NodeId> s, std::span<const NodeId> x) {
  std::vector<NodeId> result;
  for (auto [i, j] : pairs) {
    const E sum = E{&graph, x[i]} + E{&graph, x[j]};
    const std::array values = {s[i], s[j]}, ends = {x[i], x[j]};
    if (!exchangeable(graph, values, ends, -1)) {
      result.push_back(((E{&graph, s[i]} + E{&graph, s[j]}) / sum).node);
      continue;
    }
    const std::array moved = {(-E{&graph, x[j]}).node, (-E{&graph, x[i]}).node};
    const std::array velocities = {graph.constant(1), graph.constant(1)};
    result.push_back(divided_difference(graph, s.subspan(i, 1), ends, moved, velocities, (-sum).node,
                                        invariants(graph, s[i], ends, -1))[0]);
  }
  return result;
}

}  // namespace proxima::derive
