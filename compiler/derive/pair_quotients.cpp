#include "compiler/derive/pair_quotients.hpp"

#include <algorithm>
#include <utility>

#include "compiler/derive/derive.hpp"
#include "compiler/derive/divided_difference.hpp"
#include "compiler/derive/probe.hpp"
#include "compiler/ir/expression.hpp"

namespace proxima::derive {
namespace {

using ir::NodeId;
using ir::Op;
using E = ir::Expression;

// Whether s_j becomes sign * s_i, and the others sign' * themselves, when x_i and x_j change places (sign -1: and
// signs).
bool exchangeable(const ir::Graph& graph, std::span<const NodeId> s, std::span<const NodeId> x, long double sign) {
  if (!has_divided_difference(graph, s, x)) return false;
  auto probe = Probe::make(graph, s, x);
  if (!probe) return false;
  const auto exchanged = [sign](Numbers values, std::pair<std::size_t, std::size_t> pair) {
    std::swap(values[pair.first], values[pair.second]);
    values[pair.first] *= sign;
    values[pair.second] *= sign;
    return values;
  };
  return std::all_of(pairs.begin(), pairs.end(), [&](auto pair) {
    return agree([&](int sample) { return exchanged((*probe)(sample_numbers(sample, 3), sample), pair); },
                 [&](int sample) { return (*probe)(exchanged(sample_numbers(sample, 3), pair), sample); });
  });
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
  const bool symmetric = exchangeable(graph, s, x, 1);
  std::vector<NodeId> result;
  for (auto [i, j] : pairs) {
    const std::array ends = {x[i], x[j]}, moved = {x[j], x[i]};
    if (symmetric) {
      const NodeId gap = (E{&graph, x[j]} - E{&graph, x[i]}).node;
      const std::array velocities = {graph.constant(1), graph.constant(-1)};
      result.push_back(divided_difference(graph, s.subspan(i, 1), ends, moved, velocities, gap)[0]);
    } else {
      result.push_back(guarded_minus(graph, {s[i], s[j]}, ends));
    }
  }
  return result;
}

std::vector<NodeId> plus_quotients(ir::Graph& graph, std::span<const NodeId> s, std::span<const NodeId> x) {
  const bool odd = exchangeable(graph, s, x, -1);
  std::vector<NodeId> result;
  for (auto [i, j] : pairs) {
    const E sum = E{&graph, x[i]} + E{&graph, x[j]};
    if (odd) {
      const std::array ends = {x[i], x[j]};
      const std::array moved = {(-E{&graph, x[j]}).node, (-E{&graph, x[i]}).node};
      const std::array velocities = {graph.constant(1), graph.constant(1)};
      result.push_back(divided_difference(graph, s.subspan(i, 1), ends, moved, velocities, (-sum).node)[0]);
    } else {
      result.push_back(((E{&graph, s[i]} + E{&graph, s[j]}) / sum).node);
    }
  }
  return result;
}

}  // namespace proxima::derive
