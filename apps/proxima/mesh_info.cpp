// proxima mesh info.
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "apps/proxima/mesh_commands.hpp"
#include "compiler/support/error.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/mesh/quality.hpp"

namespace proxima::app {
namespace {

using mesh::Mesh;

// What the measure of a shape is called.
constexpr const char* kMeasureNames[] = {"", "length", "area", "volume"};

void print_size(const Mesh& mesh) {
  const auto box = mesh::bounding_box(mesh);
  fmt::print("nodes       {}\n", mesh.nodes.size());
  fmt::print("box         {:g} to {:g}\n", fmt::join(box.lower, " "), fmt::join(box.upper, " "));
  fmt::print("size        {:g} x {:g} x {:g} m\n", box.upper[0] - box.lower[0], box.upper[1] - box.lower[1],
             box.upper[2] - box.lower[2]);
  std::int32_t pieces = 0;
  mesh::connected_components(mesh, pieces);
  std::vector<bool> used(mesh.nodes.size(), false);
  for (const auto& block : mesh.blocks)
    for (const auto node : block.elements.nodes) used[static_cast<std::size_t>(node)] = true;
  const auto unused = std::count(used.begin(), used.end(), false);
  fmt::print("pieces      {}{}\n", pieces - unused,
             unused > 0 ? fmt::format(", and {} nodes without elements", unused) : "");
  for (const auto& [name, count] : mesh.left_out) fmt::print("left out    {} {}\n", count, name);
}

std::string name_of(const Mesh& mesh, mesh::Group group) {
  for (const auto& [name, known] : mesh.groups)
    if (known == group) return fmt::format(" '{}'", name);
  return {};
}

void print_tags(const Mesh& mesh, const mesh::Block& block, const std::vector<double>& measure) {
  const auto& row = mesh::shape_row(block.elements.shape);
  struct Sum {
    std::size_t count = 0;
    double measure = 0;
  };
  std::map<std::int32_t, Sum> sums;
  for (std::size_t e = 0; e < measure.size(); ++e) {
    ++sums[block.tags[e]].count;
    sums[block.tags[e]].measure += measure[e];
  }
  for (const auto& [tag, sum] : sums)
    fmt::print("  tag {}{}: {}, {} {:.6g} {}\n", tag, name_of(mesh, {row.dimension, tag}), sum.count,
               kMeasureNames[row.dimension], sum.measure, row.measure_unit);
}

// Ten classes from 0 to 1, and what is below 0; then the worst elements by number.
void print_quality(const std::vector<double>& quality) {
  constexpr int kClasses = 10, kBar = 40;
  constexpr std::size_t kWorst = 5;
  std::vector<std::size_t> counts(kClasses, 0);
  std::size_t inverted = 0;
  for (const double q : quality) {
    if (q < 0)
      ++inverted;
    else
      ++counts[static_cast<std::size_t>(std::min<int>(kClasses - 1, static_cast<int>(kClasses * q)))];
  }
  const auto most = std::max<std::size_t>(1, *std::max_element(counts.begin(), counts.end()));
  fmt::print("  quality (mean ratio, 1 is the regular shape)\n");
  if (inverted > 0) fmt::print("    inside out {}\n", inverted);
  for (std::size_t c = 0; c < counts.size(); ++c)
    fmt::print("    {:.1f} to {:.1f} {:>9} {}\n", c / 10.0, (c + 1) / 10.0, counts[c],
               std::string(kBar * counts[c] / most, '#'));
  std::vector<std::size_t> order(quality.size());
  std::iota(order.begin(), order.end(), 0);
  const auto shown = std::min(kWorst, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) { return std::pair(quality[a], a) < std::pair(quality[b], b); });
  fmt::print("  worst      ");
  for (std::size_t i = 0; i < shown; ++i) fmt::print(" {} ({:.3f})", order[i], quality[order[i]]);
  fmt::print("\n");
}

void print_block(const Mesh& mesh, const mesh::Block& block) {
  const auto& row = mesh::shape_row(block.elements.shape);
  const auto measure = mesh::measures(block.elements, mesh.nodes);
  fmt::print("\n{}: {}, {} {:.6g} {}\n", mesh::shape_row(block.elements.shape).plural, block.elements.count(),
             kMeasureNames[row.dimension], std::accumulate(measure.begin(), measure.end(), 0.0), row.measure_unit);
  print_tags(mesh, block, measure);
  if (row.dimension > 1) print_quality(mesh::qualities(block.elements, mesh.nodes));
}

void print_surface(const char* title, const mesh::Elements& triangles, const Mesh& mesh) {
  if (triangles.count() == 0) return;
  const auto facts = mesh::surface_facts(triangles, mesh.nodes);
  fmt::print("\n{}: {} triangles, {}", title, triangles.count(), facts.closed() ? "closed" : "not closed");
  if (facts.boundary_edges > 0) fmt::print(", {} boundary edges", facts.boundary_edges);
  if (facts.nonmanifold_edges > 0) fmt::print(", {} edges with three triangles or more", facts.nonmanifold_edges);
  if (facts.opposed_edges > 0) fmt::print(", {} edges between opposite windings", facts.opposed_edges);
  if (facts.closed() && facts.opposed_edges == 0)
    fmt::print(", normals {}, encloses {:.6g} m^3", facts.volume >= 0 ? "outwards" : "inwards", std::abs(facts.volume));
  fmt::print("\n");
}

}  // namespace

int mesh_info(const std::filesystem::path& file) {
  const auto mesh = mesh::read(file);
  fmt::print("{}\n", file.string());
  print_size(mesh);
  for (const auto& block : mesh.blocks) print_block(mesh, block);
  print_surface("boundary of the solids", mesh::boundary_triangles(mesh), mesh);
  print_surface("surface of the triangles", mesh::elements(mesh, mesh::Shape::triangle), mesh);
  return 0;
}

}  // namespace proxima::app
