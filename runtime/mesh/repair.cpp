// repair(): what prepare() refuses because it has to be meant, done on request.
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "compiler/support/error.hpp"
#include "runtime/mesh/edges.hpp"
#include "runtime/mesh/merge.hpp"
#include "runtime/mesh/quality.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::mesh {
namespace {

void check_nodes(const Mesh& mesh, const std::string& name) {
  for (const auto& [elements, tags] : mesh.blocks)
    for (std::size_t e = 0; e < elements.count(); ++e)
      for (const auto node : elements.of(e)) {
        const auto label = shape_row(elements.shape).label;
        if (node < 0 || static_cast<std::size_t>(node) >= mesh.nodes.size())
          fail("{}: {} {} names node {}, but nodes go from 0 to {}", name, label, e, node,
               static_cast<std::int64_t>(mesh.nodes.size()) - 1);
        for (const double c : mesh.nodes[static_cast<std::size_t>(node)])
          if (!std::isfinite(c)) fail("{}: {} {} has node {} with a coordinate that is {}", name, label, e, node, c);
      }
}

void drop_elements(Mesh& mesh, RepairCounts& counts) {
  for (auto& [elements, tags] : mesh.blocks) {
    const auto measure = measures(elements, mesh.nodes);
    std::set<std::vector<std::int32_t>> known;
    Block kept{{elements.shape, elements.corners, {}}, {}};
    for (std::size_t e = 0; e < elements.count(); ++e) {
      const auto corners = elements.of(e);
      std::vector<std::int32_t> sorted(corners.begin(), corners.end());
      std::sort(sorted.begin(), sorted.end());
      if (is_degenerate(elements, e, measure[e], mesh.nodes)) {
        ++counts.degenerate;
      } else if (!known.insert(std::move(sorted)).second) {
        ++counts.duplicates;
      } else {
        kept.elements.nodes.insert(kept.elements.nodes.end(), corners.begin(), corners.end());
        kept.tags.push_back(tags[e]);
      }
    }
    elements.nodes = std::move(kept.elements.nodes);
    tags = std::move(kept.tags);
  }
  std::erase_if(mesh.blocks, [](const Block& block) { return block.elements.count() == 0; });
}

// Neighbours of each triangle across edges that have exactly two, and whether the two turn against each other.
struct Neighbour {
  std::size_t triangle;
  bool opposed;
};
std::vector<std::vector<Neighbour>> neighbours_of(const Elements& triangles) {
  std::vector<std::vector<Neighbour>> result(triangles.count());
  for_each_edge(sorted_sides(triangles), [&](std::span<const Side> sides) {
    if (sides.size() != 2) return;
    const bool opposed = sides[0].forward == sides[1].forward;
    result[sides[0].triangle].push_back({sides[1].triangle, opposed});
    result[sides[1].triangle].push_back({sides[0].triangle, opposed});
  });
  return result;
}

// Turns each piece of the surface as its first triangle, and outwards where it is closed. On a piece that has only one
// side (a Moebius strip) some edge stays between opposed triangles.
std::size_t orient_triangles(Mesh& mesh) {
  if (elements(mesh, Shape::triangle).count() == 0) return 0;
  auto& triangles = make_block(mesh, Shape::triangle).elements;
  const auto neighbours = neighbours_of(triangles);
  std::vector<bool> seen(triangles.count(), false);
  std::size_t flipped = 0;
  const auto flip = [&](std::size_t t) { std::swap(triangles.of(t)[1], triangles.of(t)[2]); };
  for (std::size_t seed = 0; seed < triangles.count(); ++seed) {
    if (seen[seed]) continue;
    std::map<std::size_t, bool> piece = {{seed, false}};  // and whether each was flipped
    std::deque<std::size_t> waiting = {seed};
    seen[seed] = true;
    bool closed = true;
    for (; !waiting.empty(); waiting.pop_front()) {
      const auto t = waiting.front();
      closed = closed && neighbours[t].size() == 3;
      for (const auto& [next, opposed] : neighbours[t]) {
        if (seen[next]) continue;
        seen[next] = true;
        piece[next] = piece[t] != opposed;
        if (piece[next]) flip(next);
        waiting.push_back(next);
      }
    }
    Elements part{Shape::triangle, 3, {}};
    for (const auto& [t, was_flipped] : piece)
      part.nodes.insert(part.nodes.end(), triangles.of(t).begin(), triangles.of(t).end());
    const bool inwards = closed && surface_facts(part, mesh.nodes).volume < 0;
    for (const auto& [t, was_flipped] : piece) {
      if (inwards) flip(t);
      flipped += was_flipped != inwards;
    }
  }
  return flipped;
}

}  // namespace

RepairCounts repair(Mesh& mesh, double tolerance, const std::string& name) {
  check_nodes(mesh, name);
  RepairCounts counts;
  if (tolerance > 0) counts.merged_nodes = merge_nodes(mesh, tolerance).size();
  drop_elements(mesh, counts);
  if (mesh.blocks.empty())
    fail("{}: no element is left after {} degenerate ones were dropped", name, counts.degenerate);
  counts.flipped_triangles = orient_triangles(mesh);
  const auto repairs = prepare(mesh, name);
  counts.flipped_solids = repairs.flipped;
  counts.unused_nodes = repairs.unused_removed - counts.merged_nodes;
  return counts;
}

}  // namespace proxima::mesh
