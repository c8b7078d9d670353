#include "apps/proxima/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace proxima::app {
namespace {

namespace fs = std::filesystem;

std::string frame_name(int step) { return fmt::format("frame_{:06}.vtu", step); }
std::string surface_name(int step) { return fmt::format("surface_{:06}.obj", step); }

mesh::Mesh mesh_of(const Surface& surface, std::span<const double> positions) {
  mesh::Mesh result;
  for (const auto node : surface.nodes) {
    const double* x = &positions[3 * static_cast<std::size_t>(node)];
    result.nodes.push_back({x[0], x[1], x[2]});
  }
  const auto add = [&](mesh::Shape shape, const auto& pieces) {
    if (pieces.empty()) return;
    auto& block = mesh::make_block(result, shape);
    for (const auto& corners : pieces)
      block.elements.nodes.insert(block.elements.nodes.end(), corners.begin(), corners.end());
    block.tags.resize(pieces.size());
  };
  add(mesh::Shape::edge, surface.lines);
  add(mesh::Shape::triangle, surface.triangles);
  return result;
}

}  // namespace

Frames::Frames(const Problem& problem, fs::path folder) : problem_(problem), folder_(std::move(folder)) {
  if (problem.scene.output.surface) surface_ = surface_of(problem.model());
}

bool Frames::wanted(int step) const {
  const int every = problem_.scene.output.every;
  return every > 0 && (step % every == 0 || step == problem_.model().steps);
}

bool Frames::written(int step) const {
  return fs::exists(folder_ / frame_name(step)) &&
         (!problem_.scene.output.surface || fs::exists(folder_ / surface_name(step)));
}

void Frames::write(int step, const solve::State& state) const {
  const auto& chosen = problem_.scene.output.fields;
  FieldSource source(problem_, step, state);
  std::vector<mesh::DataArray> nodes, elements;
  for (const FieldRow& row : field_rows())
    if (std::ranges::find(chosen, row.name) != chosen.end())
      std::ranges::move(row.arrays(source), std::back_inserter(row.on_nodes ? nodes : elements));
  mesh::write_vtu(folder_ / frame_name(step), problem_.model().mesh, state.positions, nodes, elements);
  if (problem_.scene.output.surface) mesh::write_obj(folder_ / surface_name(step), mesh_of(surface_, state.positions));
}

void Frames::write_series(int steps) const {
  std::vector<std::pair<double, std::string>> frames;
  for (int step = 0; step <= steps; ++step)
    if (wanted(step)) frames.emplace_back(step * problem_.model().time_step, frame_name(step));
  if (!frames.empty()) mesh::write_pvd(folder_ / "motion.pvd", frames);
}

}  // namespace proxima::app
