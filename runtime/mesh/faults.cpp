// find_faults(): every kind of fault by a row of a table.
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "runtime/mesh/edges.hpp"
#include "runtime/mesh/faces.hpp"
#include "runtime/mesh/merge.hpp"
#include "runtime/mesh/quality.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

constexpr double kSameNode = 1e-9;  // of the diagonal of the box

using Numbers = std::vector<std::size_t>;

bool exists(const Mesh& mesh, std::int32_t node) {
  return node >= 0 && static_cast<std::size_t>(node) < mesh.nodes.size();
}
bool finite(const Vector3& x) {
  return std::all_of(x.begin(), x.end(), [](double c) { return std::isfinite(c); });
}

bool has_absent_node(const Mesh& mesh, std::span<const std::int32_t> nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [&](auto node) { return !exists(mesh, node); });
}
bool has_infinite_node(const Mesh& mesh, std::span<const std::int32_t> nodes) {
  return !has_absent_node(mesh, nodes) && std::any_of(nodes.begin(), nodes.end(), [&](auto node) {
    return !finite(mesh.nodes[static_cast<std::size_t>(node)]);
  });
}
bool has_repeated_node(std::span<const std::int32_t> nodes) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](auto node) { return std::count(nodes.begin(), nodes.end(), node) > 1; });
}

// What is wrong with one element by itself; each has at most one fault, the first that applies.
enum class Fault { none, absent, repeated, infinite, degenerate, reversed };
constexpr std::pair<Fault, const char*> kElementFaults[] = {
    {Fault::absent, "name a node that does not exist"},
    {Fault::repeated, "name a node twice"},
    {Fault::infinite, "have a coordinate that is not finite"},
    {Fault::degenerate, "are degenerate: no measure to speak of for the length of their edges"},
    {Fault::reversed, "are inside out, or have their corners in the opposite order"},
};

Fault fault_of(const Mesh& mesh, const Elements& elements, std::size_t e, double measure, double quality) {
  const auto nodes = elements.of(e);
  if (has_absent_node(mesh, nodes)) return Fault::absent;
  if (has_repeated_node(nodes)) return Fault::repeated;
  if (has_infinite_node(mesh, nodes)) return Fault::infinite;
  if (is_degenerate(elements, e, measure, mesh.nodes)) return Fault::degenerate;
  return measure < 0 || quality < 0 ? Fault::reversed : Fault::none;
}

std::string list(const Numbers& numbers) {
  constexpr std::size_t kShown = 5;
  const auto shown = std::min(numbers.size(), kShown);
  return fmt::format("{}{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<long>(shown), ", "),
                     shown < numbers.size() ? ", ..." : "");
}

void add(std::vector<std::string>& faults, const Numbers& numbers, std::string_view plural, std::string_view what) {
  if (!numbers.empty()) faults.push_back(fmt::format("{} {} {}: {}", numbers.size(), plural, what, list(numbers)));
}

// Returns whether each element's nodes can be looked at.
bool add_element_faults(const Mesh& mesh, std::vector<std::string>& faults) {
  bool readable = true;
  for (const auto& [elements, tags] : mesh.blocks) {
    const auto measure = measures(elements, mesh.nodes), quality = qualities(elements, mesh.nodes);
    std::map<Fault, Numbers> found;
    for (std::size_t e = 0; e < elements.count(); ++e)
      found[fault_of(mesh, elements, e, measure[e], quality[e])].push_back(e);
    for (const auto& [fault, what] : kElementFaults) add(faults, found[fault], shape_row(elements.shape).plural, what);
    readable = readable && found[Fault::absent].empty();
  }
  return readable;
}

void add_duplicates(const Mesh& mesh, std::vector<std::string>& faults) {
  for (const auto& [elements, tags] : mesh.blocks) {
    std::map<std::vector<std::int32_t>, std::size_t> known;
    Numbers repeated;
    for (std::size_t e = 0; e < elements.count(); ++e) {
      std::vector<std::int32_t> nodes(elements.of(e).begin(), elements.of(e).end());
      std::sort(nodes.begin(), nodes.end());
      if (!known.try_emplace(std::move(nodes), e).second) repeated.push_back(e);
    }
    add(faults, repeated, shape_row(elements.shape).plural, "have the nodes of an earlier one");
  }
}

void add_overlaps(const Mesh& mesh, std::vector<std::string>& faults) {
  const auto found = overlaps(mesh);
  if (found.empty()) return;
  const auto& [a, b] = found.front();
  faults.push_back(fmt::format("{} faces have solids that overlap, both on one side: first {} {} and {} {}",
                               found.size(), shape_row(a.shape).label, a.element, shape_row(b.shape).label, b.element));
}

// Beside solids triangles name parts of their boundary, or of faces within: there such edges are no fault.
void add_surface_faults(const Mesh& mesh, std::vector<std::string>& faults) {
  const auto is_solid = [](const Block& block) { return shape_row(block.elements.shape).dimension == 3; };
  if (std::any_of(mesh.blocks.begin(), mesh.blocks.end(), is_solid)) return;
  const auto facts = surface_facts(elements(mesh, Shape::triangle), mesh.nodes);
  if (facts.nonmanifold_edges > 0)
    faults.push_back(fmt::format("{} edges have three triangles or more", facts.nonmanifold_edges));
  if (facts.opposed_edges > 0)
    faults.push_back(fmt::format("{} edges lie between triangles of opposite winding", facts.opposed_edges));
}

void add_node_faults(const Mesh& mesh, std::vector<std::string>& faults) {
  std::vector<bool> used(mesh.nodes.size(), false);
  for (const auto& block : mesh.blocks)
    for (const auto node : block.elements.nodes) used[static_cast<std::size_t>(node)] = true;
  Numbers unused;
  for (std::size_t node = 0; node < used.size(); ++node)
    if (!used[node]) unused.push_back(node);
  add(faults, unused, "nodes", "are used by no element");
  Mesh merged = mesh;
  const auto same = merge_nodes(merged, kSameNode * diagonal(mesh));
  add(faults, {same.begin(), same.end()}, "nodes", "lie where an earlier one lies (--tolerance of repair merges them)");
}

}  // namespace

std::vector<std::string> find_faults(const Mesh& mesh) {
  std::vector<std::string> faults;
  if (!add_element_faults(mesh, faults)) return faults;
  add_duplicates(mesh, faults);
  add_overlaps(mesh, faults);
  add_surface_faults(mesh, faults);
  add_node_faults(mesh, faults);
  return faults;
}

}  // namespace proxima::mesh
