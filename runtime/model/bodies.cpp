#include "runtime/model/bodies.hpp"

#include <algorithm>
#include <iterator>

#include "compiler/support/error.hpp"
#include "runtime/mesh/disjoint_sets.hpp"
#include "runtime/mesh/element_meshes.hpp"
#include "runtime/model/materials.hpp"
#include "runtime/model/rotation.hpp"

namespace proxima::model {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<std::int32_t>;

// Keeps the cells of a box at whose centres the formula is not 0.
void carve(const BoxMesh& box, const std::string& where, mesh::Mesh& mesh) {
  std::vector<Vector3> centres;
  for (int k = 0; k < box.cells[2]; ++k)
    for (int j = 0; j < box.cells[1]; ++j)
      for (int i = 0; i < box.cells[0]; ++i) {
        auto& centre = centres.emplace_back();
        for (std::size_t c = 0; c < 3; ++c)
          centre[c] = box.lower[c] + (box.upper[c] - box.lower[c]) * (std::array{i, j, k}[c] + 0.5) / box.cells[c];
      }
  const auto values = evaluate(*box.where, centres, where + ".box.where");
  auto& [elements, tags] = mesh.blocks[0];
  const auto a_cell = elements.count() / centres.size();
  Numbers kept;
  for (std::size_t e = 0; e < elements.count(); ++e)
    if (values[e / a_cell] != 0) kept.push_back(static_cast<std::int32_t>(e));
  if (kept.empty()) fail("{}.box.where: the expression '{}' is 0 at every cell's centre", where, box.where->text);
  elements = mesh::subset(elements, kept);
  tags.resize(kept.size());
  mesh::prepare(mesh, where);  // drops the nodes that are left
}

mesh::Mesh make_mesh(const MeshSource& source, const std::string& where) {
  struct Maker {
    const std::string& where;

    mesh::Mesh operator()(const fs::path& file) const { return mesh::read(file); }
    mesh::Mesh operator()(const BoxMesh& box) const {
      auto result = (box.hexahedra ? mesh::make_hexahedra : mesh::make_box)(box.cells, box.lower, box.upper);
      if (box.where) carve(box, where, result);
      return result;
    }
    mesh::Mesh operator()(const BallMesh& ball) const { return mesh::make_ball(ball.layers, ball.centre, ball.radius); }
    mesh::Mesh operator()(const GridMesh& grid) const {
      return mesh::make_triangle_grid(grid.cells, grid.origin, grid.along, grid.across);
    }
  };
  auto result = std::visit(Maker{where}, source.source);
  for (auto& node : result.nodes) {
    for (auto& coordinate : node) coordinate *= source.scale;
  }
  return result;
}

std::map<mesh::Group, Numbers> nodes_of_groups(const mesh::Mesh& mesh) {
  std::map<mesh::Group, Numbers> result;
  for (const auto& [elements, tags] : mesh.blocks)
    for (std::size_t e = 0; e < tags.size(); ++e) {
      auto& nodes = result[{mesh::shape_row(elements.shape).dimension, tags[e]}];
      nodes.insert(nodes.end(), elements.of(e).begin(), elements.of(e).end());
    }
  for (const auto& [name, group] : mesh.groups) result[group];  // those without elements
  for (auto& [group, nodes] : result) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return result;
}

// Numbers of those that are wanted, from 0 in the same order; -1 for the others.
Numbers renumber(const std::vector<char>& wanted) {
  Numbers result(wanted.size(), -1);
  std::int32_t count = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) result[i] = count++;
  return result;
}

// Elements that no region has are there to name parts of the body, as boundary triangles do; they do not move.
void drop_elements(mesh::Mesh& mesh, std::vector<Region>& regions) {
  for (auto& [elements, tags] : mesh.blocks) {
    std::vector<char> used(elements.count());
    for (const auto& region : regions)
      if (region.elements.shape == elements.shape)
        for (const auto number : region.numbers) used[number] = 1;
    const auto map = renumber(used);
    for (auto& region : regions)
      if (region.elements.shape == elements.shape)
        for (auto& number : region.numbers) number = map[number];
    Numbers kept;
    std::vector<std::int32_t> kept_tags;
    for (std::size_t e = 0; e < used.size(); ++e) {
      if (!used[e]) continue;
      kept.push_back(static_cast<std::int32_t>(e));
      kept_tags.push_back(tags[e]);
    }
    elements = mesh::subset(elements, kept);
    tags = std::move(kept_tags);
  }
  std::erase_if(mesh.blocks, [](const mesh::Block& block) { return block.elements.count() == 0; });
}

// Returns the new number of each node, -1 for those that no region has.
Numbers drop_nodes(mesh::Mesh& mesh, std::vector<Region>& regions) {
  std::vector<char> used(mesh.nodes.size());
  for (const auto& region : regions)
    for (const auto node : region.elements.nodes) used[node] = 1;
  const auto map = renumber(used);
  for (std::size_t n = 0; n < map.size(); ++n)
    if (map[n] >= 0) mesh.nodes[map[n]] = mesh.nodes[n];
  mesh.nodes.resize(static_cast<std::size_t>(std::count(used.begin(), used.end(), 1)));
  for (auto& block : mesh.blocks)
    for (auto& node : block.elements.nodes) node = map[node];
  for (auto& region : regions)
    for (auto& node : region.elements.nodes) node = map[node];
  return map;
}

void place(const Placement& placement, mesh::Mesh& mesh, std::vector<Region>& regions) {
  for (auto& node : mesh.nodes) {
    for (auto& coordinate : node) coordinate *= placement.scale;
    node = rotate(placement.rotate, node);
    for (int i = 0; i < 3; ++i) node[i] += placement.translate[i];
  }
  for (auto& region : regions)
    for (auto& field : region.directions)
      for (auto& direction : field) direction = rotate(placement.rotate, direction);
}

// Puts the body's nodes, elements and regions behind those that are there.
void append(const mesh::Mesh& mesh, std::vector<Region> regions, Model& model) {
  const auto first = static_cast<std::int32_t>(model.mesh.nodes.size());
  for (auto& region : regions) {
    for (auto& node : region.elements.nodes) node += first;
    if (region.numbers.empty()) continue;
    const auto count = static_cast<std::int32_t>(mesh::elements(model.mesh, region.elements.shape).count());
    for (auto& number : region.numbers) number += count;
  }
  model.mesh.nodes.insert(model.mesh.nodes.end(), mesh.nodes.begin(), mesh.nodes.end());
  for (const auto& block : mesh.blocks) {
    auto& [elements, tags] = mesh::make_block(model.mesh, block.elements.shape);
    std::transform(block.elements.nodes.begin(), block.elements.nodes.end(), std::back_inserter(elements.nodes),
                   [&](std::int32_t node) { return node + first; });
    tags.insert(tags.end(), block.tags.begin(), block.tags.end());
  }
  std::move(regions.begin(), regions.end(), std::back_inserter(model.regions));
}

// Sets of nodes that elements of the regions join: edges, hinges and stencils may hold together what the elements of
// the mesh do not.
std::size_t pieces_of(std::size_t nodes, const std::vector<Region>& regions) {
  mesh::DisjointSets sets(nodes);
  for (const Region& region : regions)
    for (std::size_t e = 0; e < region.elements.count(); ++e) {
      const auto element = region.elements.of(e);
      for (const auto node : element) sets.join(static_cast<std::size_t>(element[0]), static_cast<std::size_t>(node));
    }
  std::size_t count = 0;
  for (std::size_t node = 0; node < nodes; ++node) count += sets.of(node) == node ? 1 : 0;
  return count;
}

std::string label(const BodySource& source) {
  return source.name.empty() ? "mesh" : fmt::format("body '{}'", source.name);
}

void describe_repairs(const BodySource& source, const mesh::Repairs& repairs, const Body& body, Built& built) {
  if (repairs.flipped > 0)
    built.notes.push_back(
        fmt::format("{}: {} solids of opposite winding were reversed", label(source), repairs.flipped));
  if (const auto left_out = std::count(body.node_map.begin(), body.node_map.end(), -1); left_out > 0)
    built.notes.push_back(
        fmt::format("{}: {} nodes of no element with a material were left out", label(source), left_out));
}

}  // namespace

void add_body(const Scene& scene, const BodySource& source, const EnergyLoader& load_energy, Built& built) {
  const auto* file = std::get_if<fs::path>(&source.mesh.source);
  if (file) require_file(*file, scene, source.key + "mesh.file");
  const auto where = fmt::format("{}: {}mesh", scene.file.string(), source.key);
  auto mesh = make_mesh(source.mesh, where);
  const auto repairs = mesh::prepare(mesh, file ? file->string() : where);
  auto regions = body_regions(scene, source, mesh, repairs.node_map, load_energy);
  Body body{source.name, static_cast<std::int32_t>(built.model.mesh.nodes.size()),
            0,           repairs.node_map,
            mesh.groups, nodes_of_groups(mesh)};
  drop_elements(mesh, regions);
  const auto kept = drop_nodes(mesh, regions);
  const auto in_model = [&](std::int32_t node) {
    return node < 0 || kept[node] < 0 ? -1 : kept[node] + body.first_node;
  };
  std::transform(body.node_map.begin(), body.node_map.end(), body.node_map.begin(), in_model);
  for (auto& [group, nodes] : body.group_nodes) {
    std::transform(nodes.begin(), nodes.end(), nodes.begin(), in_model);
    std::erase(nodes, -1);
  }
  body.nodes = static_cast<std::int32_t>(mesh.nodes.size());
  const std::size_t pieces = pieces_of(mesh.nodes.size(), regions);
  if (pieces > 1)
    built.warnings.push_back(
        fmt::format("{} is in {} pieces that share no node", source.name.empty() ? "the mesh" : label(source), pieces));
  place(source.place, mesh, regions);
  append(mesh, std::move(regions), built.model);
  describe_repairs(source, repairs, body, built);
  built.model.bodies.push_back(std::move(body));
}

}  // namespace proxima::model
