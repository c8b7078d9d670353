// Projections and the closest points that come with the language.
#include <fmt/format.h>

#include <stdexcept>

#include "compiler/dsl/tracing.hpp"
#include "compiler/ir/closest_point.hpp"

namespace proxima::dsl {
namespace {

using Nodes = std::span<const ir::NodeId>;

std::vector<ir::NodeId> closest_point(std::string_view set, ir::Graph& graph, Nodes entries, Nodes operands) {
  if (set == "rotation") return ir::closest_rotation(graph, entries);
  if (set == "within_stretches") return ir::closest_within_stretches(graph, entries, operands[0], operands[1]);
  if (set == "with_determinant") return ir::closest_with_determinant(graph, entries, operands[0]);
  if (set == "on_sphere") return ir::closest_on_sphere(graph, entries, operands[0]);
  throw std::logic_error(fmt::format("no set {}", set));
}

}  // namespace

std::vector<unsigned> Trace::closest(std::string_view set, std::span<const unsigned> entries,
                                     std::span<const unsigned> operands, Place place) {
  std::vector<ir::NodeId> given = nodes_of(entries, place);
  const std::vector<ir::NodeId> more = nodes_of(operands, place);
  if (given.size() != entries.size() || more.size() != operands.size())
    return std::vector<unsigned>(entries.size(), of_type(ir::Type::number));
  given.insert(given.end(), more.begin(), more.end());

  // Written in a graph of its own and copied, so that every node gets the author's line.
  ir::Graph formula;
  std::vector<ir::NodeId> slots_of_formula(given.size());
  for (std::uint32_t k = 0; k < given.size(); ++k) slots_of_formula[k] = formula.input(k);
  const auto point = closest_point(set, formula, Nodes(slots_of_formula).first(entries.size()),
                                   Nodes(slots_of_formula).subspan(entries.size()));
  std::vector<ir::NodeId> copies(formula.size());
  for (std::uint32_t i = 0; i < formula.size(); ++i) {
    const ir::NodeId id{i};
    std::vector<ir::NodeId> copied;
    for (ir::NodeId operand : formula.operands(id)) copied.push_back(copies[operand.index]);
    copies[i] = formula.node(id).op == ir::Op::input ? given[formula.node(id).payload]
                : formula.is_constant(id)            ? graph.constant(formula.constant_value(id))
                                                     : graph.apply_like(formula, id, copied, location(place));
  }
  std::vector<unsigned> handles;
  handles.reserve(point.size());
  for (ir::NodeId node : point) handles.push_back(result(copies[node.index], place));
  return handles;
}

unsigned Trace::projection(unsigned weight, std::span<const unsigned> strains, std::span<const unsigned> closest,
                           Place place) {
  const std::vector<ir::NodeId> points = nodes_of(closest, place);
  const auto factor = node_of(weight, place);
  if (!belongs_to_energy("projection(...)", place)) return of_type(ir::Type::number);
  if (!strain || nodes_of(strains, place) != strain->nodes) {
    note_mistake(place,
                 "a projection is of the strain measure itself: projection(weight, F, closest) with F = "
                 "deformation_gradient(), or another measure");
    return of_type(ir::Type::number);
  }
  if (!factor || points.size() != strain->nodes.size()) return of_type(ir::Type::number);
  ir::NodeId distance;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const ir::NodeId operands[] = {strain->nodes[k], points[k]};
    const ir::NodeId gap = graph.apply(ir::Op::gap, operands, location(place));
    const ir::NodeId sum[] = {distance, gap};
    distance = k == 0 ? gap : graph.apply(ir::Op::add, sum, location(place));
  }
  const ir::NodeId product[] = {*factor, distance};
  const ir::NodeId density = graph.apply(ir::Op::mul, product, location(place));
  projections.push_back({density, {*factor, points}, place});
  return result(density, place);
}

}  // namespace proxima::dsl
