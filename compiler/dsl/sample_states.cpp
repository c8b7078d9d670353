#include "compiler/dsl/sample_states.hpp"

#include <array>
#include <cmath>
#include <span>

namespace proxima::dsl {
namespace {

using Number = long double;

// Spread over (-1, 1) without a pattern: the fractional parts of multiples of the golden ratio.
Number scattered(std::size_t k) {
  const Number x = 0.61803398874989484820L * static_cast<Number>(k + 1);
  return 2 * (x - std::floor(x)) - 1;
}

// A rotation about (1, 2, 2)/3 by `angle`, row by row (Rodrigues).
std::array<Number, 9> rotation(Number angle) {
  const Number axis[] = {1.0L / 3, 2.0L / 3, 2.0L / 3}, c = std::cos(angle), s = std::sin(angle);
  std::array<Number, 9> r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Number cross = i == j ? 0 : axis[3 - i - j] * ((j + 3 - i) % 3 == 1 ? -1 : 1);
      r[3 * i + j] = (1 - c) * axis[i] * axis[j] + (i == j ? c : 0) + s * cross;
    }
  return r;
}

// Rotation times stretch times rotation.
Numbers deformation(const std::array<Number, 3>& stretches) {
  const auto left = rotation(0.7L), right = rotation(-1.9L);
  Numbers f(9);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) f[3 * i + j] += left[3 * i + k] * stretches[k] * right[3 * k + j];
  return f;
}

void put(Numbers& slots, const Trace& trace, std::span<const ir::NodeId> nodes, std::span<const Number> values) {
  for (std::size_t k = 0; k < nodes.size(); ++k) slots[trace.graph.node(nodes[k]).payload] = values[k];
}

Numbers default_value(const ir::Input& input) {
  if (!input.initial.empty()) return {input.initial.begin(), input.initial.end()};
  switch (input.kind) {
    case ir::InputKind::direction:
      return {0.6L, 0, 0.8L};
    case ir::InputKind::time_step:
      return {0.01L};
    case ir::InputKind::rest_length:
      return {1};
    default: {
      Numbers values;
      for (std::size_t k = 0; k < input.components; ++k) values.push_back(scattered(k + 1000));
      return values;
    }
  }
}

// Another allowed value, so that what is multiplied by a signal of 0 shows.
Number moved_value(const ir::Parameter& parameter) {
  const Number value = parameter.default_value;
  if (std::isfinite(parameter.upper)) return (value + Number{parameter.upper}) / 2;
  if (std::isfinite(parameter.lower)) return value + (value - Number{parameter.lower}) / 2;
  return value + std::fmax(Number{1}, std::fabs(value)) / 2;
}

}  // namespace

std::vector<Numbers> strain_states(const Trace& trace) {
  std::vector<Numbers> states;
  const std::size_t size = trace.strain->nodes.size();
  for (const auto& stretches :
       {std::array<Number, 3>{1.2L, 1.05L, 0.8L}, {1.4L, 0.9L, 0.7L}, {1.6L, 1.3L, 1.1L}, {0.95L, 0.9L, 0.6L}}) {
    if (trace.strain->measure == ir::Measure::deformation_gradient) {
      states.push_back(deformation(stretches));
      continue;
    }
    Numbers state;
    for (std::size_t k = 0; k < size; ++k) state.push_back(stretches[k % 3] * scattered(size * states.size() + k));
    states.push_back(state);
  }
  return states;
}

Numbers slots_of(const Trace& trace, const Numbers& strain, bool moved) {
  Numbers slots(trace.slots);
  for (std::size_t k = 0; k < trace.parameters.size(); ++k) {
    const ir::Parameter& parameter = trace.parameters[k];
    put(slots, trace, {&trace.parameter_nodes[k], 1},
        Numbers{moved ? moved_value(parameter) : Number{parameter.default_value}});
  }
  for (const auto& declared : trace.inputs) {
    Numbers values = default_value(declared.input);
    if (moved && declared.input.kind == ir::InputKind::history)
      for (std::size_t k = 0; k < values.size(); ++k) values[k] += 0.1L * scattered(k);
    put(slots, trace, declared.nodes, values);
  }
  put(slots, trace, trace.strain->nodes, strain);
  return slots;
}

}  // namespace proxima::dsl
