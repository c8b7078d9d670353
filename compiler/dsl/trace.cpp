#include "compiler/dsl/trace.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>

#include "compiler/dsl/current.hpp"
#include "compiler/dsl/include/proxima/dsl/abi.h"
#include "compiler/ir/analysis.hpp"
#include "compiler/ir/operators.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/nearest.hpp"

namespace proxima::dsl {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr std::uint32_t first_parameter_slot = 9;

// A handle is a node number with the trace's own tag above it, so that a value kept from another trace is recognised.
// Handle 0 belongs to no trace.
constexpr unsigned tag_shift = 24;
constexpr unsigned max_nodes = 1u << tag_shift;

struct Place {
  const char* file;
  unsigned line;
};

class Trace {
 public:
  Trace() {
    static thread_local unsigned traces = 0;
    tag_ = traces++ % 255 + 1;
    previous_ = current;
    current = this;
  }
  ~Trace() { current = previous_; }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  static thread_local Trace* current;

  // The first mistake counts: later ones tend to follow from it.
  void note_mistake(Place place, const std::string& message) {
    if (mistake_.empty()) mistake_ = fmt::format("{}:{}: {}", place.file, place.line, message);
  }
  const std::string& mistake() const { return mistake_; }

  unsigned handle_of(ir::NodeId node) { return tag_ << tag_shift | node.index; }
  std::optional<ir::NodeId> node_of(unsigned handle, Place place) {
    const ir::NodeId node{handle & (max_nodes - 1)};
    if (handle >> tag_shift == tag_ && node.index < graph.size()) return node;
    note_mistake(place,
                 "a value that belongs to no energy, or to another one, is used here; values must be made inside the "
                 "body of the energy that uses them");
    return std::nullopt;
  }

  unsigned constant(double value, Place place) {
    if (!std::isfinite(value)) note_mistake(place, fmt::format("the constant {} is not finite", value));
    return handle_of(graph.constant(value));
  }

  unsigned apply(const ir::Operator& row, std::span<const unsigned> handles, Place place) {
    std::array<ir::NodeId, 3> operands;
    for (std::size_t k = 0; k < handles.size(); ++k) {
      const auto node = node_of(handles[k], place);
      if (!node) return of_type(row.result);
      operands[k] = *node;
    }
    return result(graph.apply(row.op, std::span(operands).first(handles.size()), location(place)), place);
  }

  unsigned integer_power(unsigned base, int exponent, Place place) {
    const auto node = node_of(base, place);
    if (!node) return of_type(ir::Type::number);
    return result(graph.integer_power(*node, exponent, location(place)), place);
  }

  unsigned parameter(const std::string& name, const std::string& unit, double default_value, Place place) {
    if (name.empty()) note_mistake(place, "a parameter needs a name");
    if (!std::isfinite(default_value))
      note_mistake(place, fmt::format("the default of parameter '{}' is {}, which is not finite", name, default_value));
    for (const ir::Parameter& other : parameters)
      if (other.name == name)
        note_mistake(place, fmt::format("parameter '{}' is declared twice; the first time at {}:{}", name,
                                        graph.files()[other.where.file], other.where.line));
    const auto index = static_cast<std::uint32_t>(parameters.size());
    parameters.push_back({name, unit, default_value, -inf, inf, location(place)});
    return handle_of(graph.input(first_parameter_slot + index));
  }

  void narrow(unsigned handle, double lower, double upper, Place place) {
    const auto node = node_of(handle, place);
    if (!node) return;
    ir::Parameter& parameter = parameters.at(graph.node(*node).payload - first_parameter_slot);
    parameter.lower = std::fmax(parameter.lower, lower);
    parameter.upper = std::fmin(parameter.upper, upper);
    if (std::isnan(lower) || std::isnan(upper) || !(parameter.lower < parameter.upper))
      note_mistake(place, fmt::format("parameter '{}' has no allowed value between {} and {}", parameter.name,
                                      parameter.lower, parameter.upper));
    else if (!(parameter.lower < parameter.default_value && parameter.default_value < parameter.upper))
      note_mistake(place, fmt::format("the default of parameter '{}' is {}; it must be above {} and below {}",
                                      parameter.name, parameter.default_value, parameter.lower, parameter.upper));
  }

  void enter(Place place) {
    if (depth_++ == 0) entered_ = place;
  }
  void leave() { --depth_; }
  // The line to report: the author's, when a function of the language is at work.
  Place author(Place place) const { return depth_ > 0 ? entered_ : place; }

  ir::Graph graph;
  std::vector<ir::Parameter> parameters;

 private:
  ir::SourceLocation location(Place place) { return {graph.intern_file(place.file), place.line}; }

  unsigned result(ir::NodeId node, Place place) {
    if (node.index >= max_nodes) note_mistake(place, "the energy has too many operations");
    if (graph.is_constant(node) && !std::isfinite(graph.constant_value(node)))
      note_mistake(place, fmt::format("this operation on constants gives {}", graph.constant_value(node)));
    return handle_of(node);
  }

  // After a mistake the trace goes on with some node of the right type.
  unsigned of_type(ir::Type type) {
    const ir::NodeId zero = graph.constant(0);
    return handle_of(type == ir::Type::number ? zero : graph.apply(ir::Op::less, std::array{zero, zero}));
  }

  unsigned tag_;
  Trace* previous_;
  std::string mistake_;
  Place entered_{};
  int depth_ = 0;
};

thread_local Trace* Trace::current = nullptr;

// Runs `action` on the current trace. No exception may leave: the caller is the author's code.
template <class Action>
unsigned in_trace(const char* file, unsigned line, Action action) {
  Trace* trace = Trace::current;
  if (trace == nullptr) {
    std::string& mistake = current_collection().mistake;
    if (mistake.empty())
      mistake = fmt::format(
          "{}:{}: the language of energies is used outside an energy; move this into PROXIMA_ENERGY(...) or into a "
          "function called from one",
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

const ir::Operator* operator_named(std::string_view name) {
  for (const ir::Operator& row : ir::operators())
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace

ir::Energy trace(const RegisteredEnergy& registered) {
  Trace trace;
  const Place place{registered.file.c_str(), registered.line};
  const auto density = trace.node_of(registered.body(), place);
  if (!trace.mistake().empty()) throw Error(trace.mistake());

  ir::Energy energy;
  energy.name = registered.name;
  energy.file = registered.file;
  energy.density = ir::transplant(trace.graph, {&*density, 1}, energy.graph).front();
  energy.parameters = std::move(trace.parameters);
  for (ir::Parameter& parameter : energy.parameters)
    parameter.where.file = energy.graph.intern_file(trace.graph.files()[parameter.where.file]);

  bool depends_on_deformation = false;
  for (std::uint32_t i = 0; i < energy.graph.size(); ++i) {
    const ir::Node& node = energy.graph.node({i});
    if (node.op == ir::Op::input && node.payload < energy.strain_components()) depends_on_deformation = true;
  }
  if (!depends_on_deformation)
    fail("{}:{}: energy '{}' does not depend on the deformation gradient, so it exerts no force", place.file,
         place.line, energy.name);
  return energy;
}

ir::Energy find_energy(const std::string& name) {
  const RegisteredEnergy* found = nullptr;
  std::vector<std::string> names;
  for (const RegisteredEnergy& energy : registered_energies()) {
    names.push_back(energy.name);
    if (energy.name != name) continue;
    if (found != nullptr)
      fail("energy '{}' is defined twice: at {}:{} and at {}:{}", name, found->file, found->line, energy.file,
           energy.line);
    found = &energy;
  }
  if (found == nullptr) {
    const std::string nearest = nearest_name(name, names);
    fail("no energy '{}' is linked into this program{}", name,
         nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  return trace(*found);
}

}  // namespace proxima::dsl

using proxima::dsl::in_trace;

extern "C" {

unsigned proxima_dsl_constant(double value, const char* file, unsigned line) {
  return in_trace(file, line, [&](auto& trace, auto place) { return trace.constant(value, place); });
}

unsigned proxima_dsl_deformation_gradient(unsigned slot, const char* file, unsigned line) {
  return in_trace(file, line, [&](auto& trace, auto) { return trace.handle_of(trace.graph.input(slot)); });
}

unsigned proxima_dsl_apply(const char* op, const unsigned* operands, unsigned count, const char* file, unsigned line) {
  return in_trace(file, line, [&](auto& trace, auto place) {
    const auto* row = proxima::dsl::operator_named(op);
    if (row == nullptr || row->arity != count) throw std::logic_error(fmt::format("no operator {} of {}", op, count));
    return trace.apply(*row, std::span(operands, count), place);
  });
}

unsigned proxima_dsl_integer_power(unsigned base, int exponent, const char* file, unsigned line) {
  return in_trace(file, line, [&](auto& trace, auto place) { return trace.integer_power(base, exponent, place); });
}

int proxima_dsl_is_zero(unsigned handle) {
  return static_cast<int>(in_trace("", 0, [&](auto& trace, auto place) {
    const auto node = trace.node_of(handle, place);
    return node && trace.graph.is_constant(*node) && trace.graph.constant_value(*node) == 0 ? 1u : 0u;
  }));
}

unsigned proxima_dsl_parameter(const char* name, const char* unit, double default_value, const char* file,
                               unsigned line) {
  return in_trace(file, line,
                  [&](auto& trace, auto place) { return trace.parameter(name, unit, default_value, place); });
}

void proxima_dsl_parameter_bounds(unsigned parameter, double lower, double upper, const char* file, unsigned line) {
  in_trace(file, line, [&](auto& trace, auto place) {
    trace.narrow(parameter, lower, upper, place);
    return 0u;
  });
}

void proxima_dsl_enter(const char* file, unsigned line) {
  in_trace(file, line, [&](auto& trace, auto) {
    trace.enter({file, line});
    return 0u;
  });
}

void proxima_dsl_leave() {
  if (proxima::dsl::Trace::current != nullptr) proxima::dsl::Trace::current->leave();
}

void proxima_dsl_mistake(const char* message, const char* file, unsigned line) {
  in_trace(file, line, [&](auto& trace, auto place) {
    trace.note_mistake(place, message);
    return 0u;
  });
}

}  // extern "C"
