// The calls of proxima/dsl/abi.h.
#include "compiler/dsl/include/proxima/dsl/abi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "compiler/dsl/current.hpp"
#include "compiler/dsl/tracing.hpp"

namespace proxima::dsl {
namespace {

// Runs `action` on the current trace. No exception may leave: the caller is the author's code.
template <class Action>
unsigned in_trace(const char* file, unsigned line, Action action) {
  Trace* trace = Trace::current();
  if (trace == nullptr) {
    std::string& mistake = current_collection().mistake;
    if (mistake.empty())
      mistake = fmt::format(
          "{}:{}: the language of energies is used outside an energy; move this into PROXIMA_ENERGY(...), "
          "PROXIMA_FUNCTION(...) or a function called from one",
          file, line);
    return 0;
  }
  const Place place = trace->author({file, line});
  try {
    return action(*trace, place);
  } catch (const std::exception& error) {
    trace->note_mistake(place, error.what());
    return 0;
  }
}

const ir::Operator& operator_named(std::string_view name, unsigned operands) {
  for (const ir::Operator& row : ir::all_operators())
    if (row.name == name && row.arity == operands) return row;
  throw std::logic_error(fmt::format("no operator {} of {}", name, operands));
}

constexpr ir::Measure measures[] = {ir::Measure::deformation_gradient, ir::Measure::surface_deformation_gradient,
                                    ir::Measure::edge_vector, ir::Measure::node_positions};

ir::Measure measure_named(std::string_view name) {
  for (ir::Measure measure : measures)
    if (spelled(measure) == std::string(name) + "()") return measure;
  throw std::logic_error(fmt::format("no strain measure {}", name));
}

ir::InputKind input_named(std::string_view name) {
  if (name == "time_step") return ir::InputKind::time_step;
  if (name == "rest_length") return ir::InputKind::rest_length;
  if (name == "rest_positions") return ir::InputKind::rest_positions;
  throw std::logic_error(fmt::format("no input {}", name));
}

}  // namespace
}  // namespace proxima::dsl

using namespace proxima::dsl;

extern "C" {

unsigned proxima_dsl_constant(double value, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) { return trace.constant(value, place); });
}

unsigned proxima_dsl_apply(const char* op, const unsigned* operands, unsigned count, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) {
    return trace.apply(operator_named(op, count), std::span(operands, count), place);
  });
}

unsigned proxima_dsl_part(unsigned bundle, unsigned k, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) { return trace.part(bundle, k, place); });
}

unsigned proxima_dsl_integer_power(unsigned base, int exponent, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) { return trace.integer_power(base, exponent, place); });
}

int proxima_dsl_is_zero(unsigned handle) {
  return static_cast<int>(in_trace("", 0, [&](Trace& trace, Place place) {
    const auto node = trace.node_of(handle, place);
    return node && trace.graph.is_constant(*node) && trace.graph.constant_value(*node) == 0 ? 1u : 0u;
  }));
}

unsigned proxima_dsl_strain(const char* measure, unsigned nodes, unsigned k, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) {
    return trace.strain_component(measure_named(measure), nodes, k, place);
  });
}

unsigned proxima_dsl_previous(unsigned handle, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) { return trace.previous(handle, place); });
}

unsigned proxima_dsl_input(const char* kind, unsigned nodes, unsigned k, const char* file, unsigned line) {
  return in_trace(file, line,
                  [&](Trace& trace, Place place) { return trace.plain_input(input_named(kind), nodes, k, place); });
}

unsigned proxima_dsl_parameter(const char* name, const char* unit, double default_value, const char* file,
                               unsigned line) {
  return in_trace(file, line,
                  [&](Trace& trace, Place place) { return trace.parameter(name, unit, default_value, false, place); });
}

unsigned proxima_dsl_signal(const char* name, const char* unit, double default_value, const char* file, unsigned line) {
  return in_trace(file, line,
                  [&](Trace& trace, Place place) { return trace.parameter(name, unit, default_value, true, place); });
}

void proxima_dsl_parameter_bounds(unsigned parameter, double lower, double upper, const char* file, unsigned line) {
  in_trace(file, line, [&](Trace& trace, Place place) {
    trace.narrow(parameter, lower, upper, place);
    return 0u;
  });
}

unsigned proxima_dsl_direction(const char* name, const double* axis, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) { return trace.direction(name, axis, place); });
}

unsigned proxima_dsl_history(const char* name, const unsigned* initial, unsigned count, const char* file,
                             unsigned line) {
  return in_trace(file, line,
                  [&](Trace& trace, Place place) { return trace.history(name, std::span(initial, count), place); });
}

unsigned proxima_dsl_component(unsigned input, unsigned k, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) { return trace.component(input, k, place); });
}

void proxima_dsl_update(unsigned history, const unsigned* values, unsigned count, const char* file, unsigned line) {
  in_trace(file, line, [&](Trace& trace, Place place) {
    trace.update(history, std::span(values, count), place);
    return 0u;
  });
}

unsigned proxima_dsl_function_input(const char* name, unsigned components, unsigned k, const char* file,
                                    unsigned line) {
  return in_trace(file, line,
                  [&](Trace& trace, Place place) { return trace.function_input(name, components, k, place); });
}

unsigned proxima_dsl_weights(const char* name, unsigned count, unsigned fan_in, unsigned seed, double half_width,
                             const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) {
    return trace.weights(name, count, half_width < 0 ? 1 / std::sqrt(fan_in) : half_width, seed, place);
  });
}

unsigned proxima_dsl_weight(unsigned weights, unsigned k, const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) { return trace.weight(weights, k, place); });
}

void proxima_dsl_output(const char* name, const unsigned* values, unsigned count, const char* file, unsigned line) {
  in_trace(file, line, [&](Trace& trace, Place place) {
    trace.output(name, std::span(values, count), place);
    return 0u;
  });
}

unsigned proxima_dsl_projection(unsigned weight, const unsigned* strain, const unsigned* closest, unsigned count,
                                const char* file, unsigned line) {
  return in_trace(file, line, [&](Trace& trace, Place place) {
    return trace.projection(weight, std::span(strain, count), std::span(closest, count), place);
  });
}

void proxima_dsl_closest(const char* set, const unsigned* entries, unsigned count, const unsigned* operands,
                         unsigned operand_count, unsigned* point, const char* file, unsigned line) {
  std::fill_n(point, count, 0u);  // of no trace
  in_trace(file, line, [&](Trace& trace, Place place) {
    const std::vector<unsigned> handles =
        trace.closest(set, std::span(entries, count), std::span(operands, operand_count), place);
    std::copy_n(handles.begin(), count, point);
    return 0u;
  });
}

void proxima_dsl_enter(const char* file, unsigned line) {
  in_trace(file, line, [&](Trace& trace, Place) {
    trace.enter({file, line});
    return 0u;
  });
}

void proxima_dsl_leave() {
  if (Trace* trace = Trace::current(); trace != nullptr) trace->leave();
}

const char* proxima_dsl_place(unsigned* line) {
  const Trace* trace = Trace::current();
  *line = trace == nullptr ? 0 : trace->registered.line;
  return trace == nullptr ? "" : trace->registered.file.c_str();
}

void proxima_dsl_mistake(const char* message, const char* file, unsigned line) {
  in_trace(file, line, [&](Trace& trace, Place place) {
    trace.note_mistake(place, message);
    return 0u;
  });
}

void proxima_dsl_register(const char* name, unsigned (*body)(), const char* file, unsigned line) {
  current_collection().energies.push_back({name, file, line, body, Definition::energy});
}

void proxima_dsl_register_dissipation(const char* name, unsigned (*body)(), const char* file, unsigned line) {
  current_collection().energies.push_back({name, file, line, body, Definition::dissipation});
}

void proxima_dsl_register_function(const char* name, unsigned (*body)(), const char* file, unsigned line) {
  current_collection().functions.push_back({name, file, line, body, Definition::function});
}

}  // extern "C"
