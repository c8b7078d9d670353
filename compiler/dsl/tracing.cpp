#include "compiler/dsl/tracing.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "compiler/dsl/substitute.hpp"

namespace proxima::dsl {
namespace {

constexpr unsigned tag_shift = 24;
constexpr unsigned max_nodes = 1u << tag_shift;

thread_local Trace* current_trace = nullptr;

}  // namespace

std::string text_of(Place place) { return fmt::format("{}:{}", place.file, place.line); }

Trace::Trace(const Registered& energy) : registered(energy) {
  static thread_local unsigned traces = 0;
  tag_ = traces++ % 255 + 1;
  outer_ = current_trace;
  current_trace = this;
}
Trace::~Trace() { current_trace = outer_; }

Trace* Trace::current() { return current_trace; }

void Trace::note_mistake(Place place, const std::string& message) {
  if (mistake_.empty()) mistake_ = fmt::format("{}: {}", dsl::text_of(place), message);
}

unsigned Trace::handle_of(ir::NodeId node) const { return tag_ << tag_shift | node.index; }

std::optional<ir::NodeId> Trace::node_of(unsigned handle, Place place) {
  const ir::NodeId node{handle & (max_nodes - 1)};
  if (handle >> tag_shift == tag_ && node.index < graph.size()) return node;
  note_mistake(place,
               "a value that belongs to no energy, or to another one, is used here; values must be made inside the "
               "body of the energy or function that uses them");
  return std::nullopt;
}

std::vector<ir::NodeId> Trace::nodes_of(std::span<const unsigned> handles, Place place) {
  std::vector<ir::NodeId> nodes;
  for (unsigned handle : handles) {
    const auto node = node_of(handle, place);
    if (!node) return {};
    nodes.push_back(*node);
  }
  return nodes;
}

unsigned Trace::constant(double value, Place place) {
  if (!std::isfinite(value)) note_mistake(place, fmt::format("the constant {} is not finite", value));
  return handle_of(graph.constant(value));
}

unsigned Trace::apply(const ir::Operator& row, std::span<const unsigned> operands, Place place) {
  const std::vector<ir::NodeId> nodes = nodes_of(operands, place);
  if (nodes.size() != operands.size()) return of_type(row.result);
  return result(graph.apply(row.op, nodes, location(place)), place);
}

unsigned Trace::part(unsigned bundle, unsigned k, Place place) {
  const auto node = node_of(bundle, place);
  if (!node) return of_type(ir::Type::number);
  return result(graph.part(*node, k, location(place)), place);
}

unsigned Trace::integer_power(unsigned base, int exponent, Place place) {
  const auto node = node_of(base, place);
  if (!node) return of_type(ir::Type::number);
  return result(graph.integer_power(*node, exponent, location(place)), place);
}

unsigned Trace::previous(unsigned handle, Place place) {
  const auto node = node_of(handle, place);
  if (!node || !belongs_to_energy("previous(...)", place)) return of_type(ir::Type::number);
  if (!strain) {
    note_mistake(place, "previous() is of a formula of the strain measure; none is asked for before this line");
    return handle;
  }
  if (strain->previous.empty())
    strain->previous = new_input(ir::InputKind::previous_strain, "previous_strain", strain->nodes.size(), place).nodes;
  std::map<ir::NodeId, ir::NodeId> replacements;
  for (std::size_t k = 0; k < strain->nodes.size(); ++k) replacements[strain->nodes[k]] = strain->previous[k];
  return result(substitute(graph, {&*node, 1}, replacements).front(), place);
}

void Trace::enter(Place place) {
  if (depth_++ == 0) entered_ = place;
}

std::string Trace::text_of(ir::SourceLocation where) const {
  return fmt::format("{}:{}", graph.files()[where.file], where.line);
}

std::vector<ir::NodeId> Trace::new_slots(std::size_t count) {
  std::vector<ir::NodeId> nodes(count);
  for (ir::NodeId& node : nodes) node = graph.input(slots++);
  return nodes;
}

unsigned Trace::result(ir::NodeId node, Place place) {
  if (node.index >= max_nodes) note_mistake(place, "too many operations");
  if (graph.is_constant(node) && !std::isfinite(graph.constant_value(node)))
    note_mistake(place, fmt::format("this operation on constants gives {}", graph.constant_value(node)));
  return handle_of(node);
}

unsigned Trace::of_type(ir::Type type) {
  const ir::NodeId zero = graph.constant(0);
  switch (type) {
    case ir::Type::number:
      return handle_of(zero);
    case ir::Type::truth:
      return handle_of(graph.apply(ir::Op::less, std::array{zero, zero}));
    case ir::Type::bundle:  // every part of every decomposition is one of its
      return handle_of(graph.apply(ir::Op::svd, std::vector(9, zero)));
  }
  return 0;
}

}  // namespace proxima::dsl
