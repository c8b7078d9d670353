#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "compiler/dsl/checks.hpp"
#include "compiler/dsl/sample_states.hpp"
#include "compiler/dsl/substitute.hpp"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/interpreter.hpp"

namespace proxima::dsl {
namespace {

using Number = long double;

// How the slots of state number k are filled, and what to say of it.
bool is_moved(std::size_t k) { return k % 2 == 1; }
const char* note_of(std::size_t k) { return is_moved(k) ? " (parameters and histories away from their defaults)" : ""; }

bool finite(const Numbers& values) {
  return std::ranges::all_of(values, [](Number x) { return std::isfinite(x); });
}

// A decomposition's values with singular values i and j, and the columns of the matrices that belong to them, in each
// other's place. One column changes its sign in each matrix, which stays a rotation.
Numbers exchanged(Numbers parts, std::size_t i, std::size_t j) {
  std::swap(parts[i], parts[j]);
  for (std::size_t row = 3; row < parts.size(); row += 3) {
    std::swap(parts[row + i], parts[row + j]);
    parts[row + i] = -parts[row + i];
  }
  return parts;
}

// A bundle of `count` numbers that are inputs from slot `first` on: a loop that never runs.
ir::NodeId free_bundle(ir::Graph& graph, std::uint32_t first, std::uint32_t count) {
  auto body = std::make_shared<ir::Graph>();
  ir::Loop loop;
  std::vector<ir::NodeId> values;
  for (std::uint32_t k = 0; k < count; ++k) {
    loop.next.push_back(body->input(k));
    values.push_back(graph.input(first + k));
  }
  loop.again = body->apply(ir::Op::less, std::array{loop.next[0], loop.next[0]});
  loop.body = body;
  return graph.loop(loop, values);
}

struct Result {
  std::string name;  // of what is computed, to be followed by "changes"
  std::vector<ir::NodeId> nodes;
};

std::vector<Result> results_of(const Trace& trace, ir::NodeId density) {
  std::vector<Result> results{
      {fmt::format("{} '{}'", noun(trace.registered.definition), trace.registered.name), {density}}};
  for (const auto& declared : trace.projections) results.push_back({"the closest point", declared.projection.closest});
  for (const auto& declared : trace.inputs)
    if (declared.updated)
      results.push_back({fmt::format("the update of history '{}'", declared.input.name), declared.input.update});
  return results;
}

// The size of what is added up in the formulas: with numbers of that size rounding is left over.
Number scale(const Trace& trace) {
  Number size = 1;
  for (const ir::Parameter& parameter : trace.parameters)
    size = std::fmax(size, std::fabs(Number{parameter.default_value}));
  return size;
}

// The largest difference of entries, by the largest entry; 0 when it may be rounding.
Number change(const Numbers& a, const Numbers& b, Number scale) {
  Number difference = 0, size = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    difference = std::fmax(difference, std::fabs(a[k] - b[k]));
    size = std::fmax(size, std::fmax(std::fabs(a[k]), std::fabs(b[k])));
  }
  return difference <= 1e-15L * scale ? 0 : difference / size;
}

std::string shown(std::span<const Number> values) {
  std::vector<std::string> texts;
  for (Number value : values) texts.push_back(fmt::format("{:.6g}", static_cast<double>(value)));
  return texts.size() == 1 ? texts[0] : fmt::format("({})", fmt::join(texts, ", "));
}

void probe_decomposition(Trace& trace, ir::NodeId decomposition, const Result& result) {
  ir::Graph graph = trace.graph;
  const std::uint32_t count = graph.parts(decomposition);
  std::vector<ir::NodeId> part_nodes(count);
  for (std::uint32_t k = 0; k < count; ++k) part_nodes[k] = graph.part(decomposition, k);
  const auto nodes = substitute(graph, result.nodes, {{decomposition, free_bundle(graph, trace.slots, count)}});
  ir::Interpreter<Number> decompose(graph, part_nodes), compute(graph, nodes);
  const std::vector<Numbers> states = strain_states(trace);
  for (std::size_t k = 0; k < states.size(); ++k) {
    const Numbers slots = slots_of(trace, states[k], is_moved(k));
    const auto decomposed = decompose(slots);
    const Numbers parts(decomposed.begin(), decomposed.end());
    const auto value = [&](const Numbers& with) {
      Numbers all = slots;
      all.insert(all.end(), with.begin(), with.end());
      const auto values = compute(all);
      return Numbers(values.begin(), values.end());
    };
    const Numbers before = value(parts);
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 2}}) {
      const Numbers swapped = exchanged(parts, i, j), after = value(swapped);
      constexpr Number tolerance = 1e-9L;
      if (!finite(before) || !finite(after) || change(before, after, scale(trace)) < tolerance) continue;
      const ir::SourceLocation where = trace.graph.node(decomposition).where;
      const char* kind = trace.graph.node(decomposition).op == ir::Op::svd ? "singular values" : "eigenvalues";
      trace.note_mistake(
          {trace.graph.files()[where.file].c_str(), where.line},
          fmt::format("{} is not symmetric in these {}: with {} it is {}, with {} it is {}{}; which of them "
                      "comes first has no meaning",
                      result.name, kind, shown(std::span(parts).first(3)), shown(before),
                      shown(std::span(swapped).first(3)), shown(after), note_of(k)));
      return;
    }
  }
}

class ClosestPoint {
 public:
  ClosestPoint(const Trace& trace, const std::vector<ir::NodeId>& closest)
      : trace_(trace), rule_(trace.graph, closest) {}
  Numbers operator()(const Numbers& strain, bool moved) {
    const auto values = rule_(slots_of(trace_, strain, moved));
    return {values.begin(), values.end()};
  }

 private:
  const Trace& trace_;
  ir::Interpreter<Number> rule_;
};

Number distance(const Numbers& a, const Numbers& b) {
  Number sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

}  // namespace

void probe_symmetry(Trace& trace, ir::NodeId density) {
  for (const Result& result : results_of(trace, density)) {
    const std::vector<bool> live = ir::live_nodes(trace.graph, result.nodes);
    for (std::uint32_t i = 0; i < live.size(); ++i) {
      const ir::Op op = trace.graph.node({i}).op;
      if (live[i] && (op == ir::Op::svd || op == ir::Op::eigen)) probe_decomposition(trace, {i}, result);
    }
  }
}

void probe_projections(Trace& trace) {
  constexpr Number tolerance = 1e-6L;
  for (const auto& [density, projection, place] : trace.projections) {
    ClosestPoint closest(trace, projection.closest);
    const std::vector<Numbers> states = strain_states(trace);
    for (std::size_t s = 0; s < states.size(); ++s) {
      const Numbers& state = states[s];
      const Numbers point = closest(state, is_moved(s)), again = closest(point, is_moved(s));
      if (!finite(point)) continue;
      if (change(point, again, 1) > tolerance || !finite(again)) {
        trace.note_mistake(
            place, fmt::format("the closest-point rule does not give points of a set back: for the point {} that "
                               "it gave it gives {}",
                               shown(point), shown(again)));
        return;
      }
      for (std::size_t k = 0; k < 2 * state.size(); ++k) {
        Numbers beside = point;  // another point of the set, near the first
        beside[k / 2] += k % 2 == 0 ? 1e-3L : -1e-3L;
        const Numbers other = closest(beside, is_moved(s));
        if (!finite(other) || distance(state, other) > distance(state, point) * (1 - tolerance) - 1e-9L) continue;
        trace.note_mistake(
            place, fmt::format("the closest-point rule does not give the closest point: from {} it gives {} "
                               "at distance {:.6g}, but {} is at distance {:.6g}",
                               shown(state), shown(point), static_cast<double>(distance(state, point)), shown(other),
                               static_cast<double>(distance(state, other))));
        return;
      }
    }
  }
}

}  // namespace proxima::dsl
