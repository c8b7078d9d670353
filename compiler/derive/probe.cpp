#include "compiler/derive/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"

namespace proxima::derive {

using ir::NodeId;
using ir::Op;

namespace {

constexpr int samples = 36;

// The numbers of a seed, as far as they have been drawn.
struct Sequence {
  std::mt19937 random;
  Numbers numbers{};
};

// `reach`: of the logarithm. Kept from one time to the next: few are drawn at a time, thousands of times, and setting
// up a generator for each took more than half of the time that probing does.
Numbers around_one(int seed, std::size_t count, double reach) {
  thread_local std::map<std::pair<int, double>, Sequence> sequences;
  auto& [random, numbers] =
      sequences.try_emplace({seed, reach}, Sequence{std::mt19937(static_cast<unsigned>(seed) + 1)}).first->second;
  while (numbers.size() < count) {
    const double uniform = static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
    numbers.push_back(std::exp(static_cast<long double>(reach * (2 * uniform - 1))));
  }
  return {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count)};
}

bool finite(const Numbers& values) {
  return std::all_of(values.begin(), values.end(), [](long double value) { return std::isfinite(value); });
}

}  // namespace

std::optional<Probe> Probe::make(const ir::Graph& source, std::span<const NodeId> outputs,
                                 std::span<const NodeId> variables) {
  ir::Graph graph;
  auto inputs = static_cast<std::uint32_t>(variables.size());
  const std::vector<bool> live = ir::live_nodes(source, outputs), varies = ir::dependent_nodes(source, variables);
  std::vector<NodeId> image(source.size());
  // The node in the new graph; a new input, or a truth value made of one, for what does not vary.
  const auto image_of = [&](NodeId id) {
    NodeId& node = image[id.index];
    if (node != NodeId{}) return node;
    if (source.is_constant(id)) return node = graph.constant(source.constant_value(id));
    node = graph.input(inputs++);
    if (source.type(id) == ir::Type::truth) node = graph.apply(Op::less, std::array{graph.constant(1), node});
    return node;
  };
  for (std::size_t k = 0; k < variables.size(); ++k)
    image[variables[k].index] = graph.input(static_cast<std::uint32_t>(k));
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    if (!live[i] || !varies[i] || image[i] != NodeId{}) continue;
    std::vector<NodeId> operands;
    for (NodeId operand : source.operands({i})) {
      if (!varies[operand.index] && source.type(operand) == ir::Type::bundle) return {};
      operands.push_back(image_of(operand));
    }
    image[i] = graph.apply_like(source, {i}, operands);
  }
  std::vector<NodeId> results;
  for (NodeId output : outputs) results.push_back(image_of(output));
  return Probe(graph, results, inputs - variables.size());
}

Probe::Probe(const ir::Graph& graph, std::span<const NodeId> outputs, std::size_t free)
    : interpreter_(graph, outputs), free_(free) {}

Numbers Probe::operator()(const Numbers& variables, int sample) {
  Numbers inputs = variables;
  const Numbers free = free_numbers(sample, free_);
  inputs.insert(inputs.end(), free.begin(), free.end());
  const auto values = interpreter_(inputs);
  return {values.begin(), values.end()};
}

Numbers sample_numbers(int sample, std::size_t count) {
  constexpr std::array reaches = {0.1, 0.5, 3.0};
  return around_one(sample, count, reaches[static_cast<std::size_t>(sample) % 3]);
}

Numbers free_numbers(int sample, std::size_t count) { return around_one(1000 + sample, count, 0.5); }

bool agree(const std::function<Numbers(int)>& first, const std::function<Numbers(int)>& second) {
  int compared = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const Numbers a = first(sample), b = second(sample);
    if (finite(a) != finite(b)) return false;
    if (!finite(a)) continue;
    ++compared;
    long double size = 0;
    for (long double value : a) size = std::max(size, std::fabs(value));
    for (std::size_t k = 0; k < a.size(); ++k)
      if (std::fabs(a[k] - b[k]) > 1e-12L * size) return false;
  }
  return compared >= 3;
}

std::vector<bool> agree_each(const std::function<Numbers(int)>& first, const std::function<Numbers(int)>& second) {
  std::vector<bool> same;
  std::vector<int> compared;
  for (int sample = 0; sample < samples; ++sample) {
    const Numbers a = first(sample), b = second(sample);
    same.resize(a.size(), true);
    compared.resize(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (std::isfinite(a[k]) != std::isfinite(b[k])) same[k] = false;
      if (!std::isfinite(a[k]) || !std::isfinite(b[k])) continue;
      ++compared[k];
      if (std::fabs(a[k] - b[k]) > 1e-12L * std::fabs(a[k])) same[k] = false;
    }
  }
  for (std::size_t k = 0; k < same.size(); ++k) same[k] = same[k] && compared[k] >= 3;
  return same;
}

}  // namespace proxima::derive
