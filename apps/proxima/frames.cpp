#include "apps/proxima/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "runtime/contact/picture.hpp"
#include "runtime/model/pose.hpp"

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

// Behind what is there already, where the obstacle is at the time; its number is the tag of its triangles.
void add_picture(const mesh::Mesh& picture, const model::Obstacle& obstacle, double time, std::size_t number,
                 mesh::Mesh& all) {
  const auto& triangles = mesh::elements(picture, mesh::Shape::triangle);
  if (triangles.count() == 0) return;
  const auto first = static_cast<std::int32_t>(all.nodes.size());
  const auto pose = model::pose_at(obstacle.motion, time);
  for (const auto& x : picture.nodes) all.nodes.push_back(model::to_space(pose, x));
  auto& block = mesh::make_block(all, mesh::Shape::triangle);
  for (const auto node : triangles.nodes) block.elements.nodes.push_back(first + node);
  block.tags.resize(block.tags.size() + triangles.count(), static_cast<std::int32_t>(number));
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
  if (frames.empty()) return;
  mesh::write_pvd(folder_ / "motion.pvd", frames);
  write_obstacles(frames);
}

// All obstacles in one file, or where some move in one for each frame.
void Frames::write_obstacles(std::span<const std::pair<double, std::string>> frames) const {
  const auto& model = problem_.model();
  std::vector<mesh::Mesh> pictures;
  bool moves = false;
  for (const auto& obstacle : model.obstacles) {
    pictures.push_back(contact::picture(model, obstacle, *problem_.engine));
    moves = moves || obstacle.motion.size() > 1;
  }
  std::vector<std::pair<double, std::string>> written;
  for (const auto& [time, motion] : frames) {
    mesh::Mesh all;
    for (std::size_t o = 0; o < pictures.size(); ++o) add_picture(pictures[o], model.obstacles[o], time, o, all);
    if (all.nodes.empty()) return;
    std::vector<double> positions;
    positions.reserve(3 * all.nodes.size());
    for (const auto& x : all.nodes) positions.insert(positions.end(), x.begin(), x.end());
    written.emplace_back(time, moves ? fmt::format("obstacles_{:06}.vtu", written.size()) : "obstacles.vtu");
    mesh::write_vtu(folder_ / written.back().second, all, positions, {}, {});
    if (!moves) break;
  }
  mesh::write_pvd(folder_ / "obstacles.pvd", written);
}

}  // namespace proxima::app
