#include "runtime/contact/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "runtime/contact/distance.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/pose.hpp"

namespace proxima::contact {
namespace {

// The bodies' box with a margin of its own size, as the obstacle's axes see it from each of its key frames.
mesh::Box region_of(const model::Model& model, const model::Obstacle& obstacle) {
  const auto bodies = mesh::bounding_box(model.mesh);
  const double margin = mesh::norm(mesh::minus(bodies.upper, bodies.lower)) / 2;
  mesh::Box result;
  result.lower.fill(INFINITY);
  result.upper.fill(-INFINITY);
  for (const auto& key : obstacle.motion)
    for (unsigned corner = 0; corner < 8; ++corner) {
      Vector3 x;
      for (std::size_t i = 0; i < 3; ++i)
        x[i] = (corner >> i & 1U) != 0 ? bodies.upper[i] + margin : bodies.lower[i] - margin;
      const auto own = model::to_own(key, x);
      for (std::size_t i = 0; i < 3; ++i) {
        result.lower[i] = std::min(result.lower[i], own[i]);
        result.upper[i] = std::max(result.upper[i], own[i]);
      }
    }
  return result;
}

class Marching {
 public:
  Marching(const mesh::Mesh& grid, std::span<const Nearest> values) : grid_(grid), values_(values) {}

  mesh::Mesh run() {
    const auto& tets = mesh::elements(grid_, mesh::Shape::tetrahedron);
    for (std::size_t t = 0; t < tets.count(); ++t) cut(tets.of(t));
    if (triangles_.empty()) return {};
    auto& block = mesh::make_block(result_, mesh::Shape::triangle);
    block.tags.resize(triangles_.size() / 3);
    block.elements.nodes = std::move(triangles_);
    return std::move(result_);
  }

 private:
  double value(std::int32_t node) const { return values_[static_cast<std::size_t>(node)].gap; }

  void cut(std::span<const std::int32_t> tet) {
    std::array<std::int32_t, 4> nodes;
    std::copy(tet.begin(), tet.end(), nodes.begin());
    const auto first_out =
        std::stable_partition(nodes.begin(), nodes.end(), [&](auto node) { return value(node) < 0; });
    const auto in = first_out - nodes.begin();
    if (in == 0 || in == 4) return;
    const auto& [a, b, c, d] = nodes;
    if (in == 1)
      add(a, b, {crossing(a, b), crossing(a, c), crossing(a, d)});
    else if (in == 3)
      add(a, d, {crossing(a, d), crossing(b, d), crossing(c, d)});
    else {
      add(a, c, {crossing(a, c), crossing(a, d), crossing(b, d)});
      add(a, c, {crossing(a, c), crossing(b, d), crossing(b, c)});
    }
  }

  // Turned so that it faces from the node inside to the one outside.
  void add(std::int32_t inside, std::int32_t outside, std::array<std::int32_t, 3> corners) {
    const auto at = [&](std::int32_t node) { return result_.nodes[static_cast<std::size_t>(node)]; };
    const auto outwards =
        mesh::minus(grid_.nodes[static_cast<std::size_t>(outside)], grid_.nodes[static_cast<std::size_t>(inside)]);
    const auto p = at(corners[0]);
    if (mesh::triple_product(mesh::minus(at(corners[1]), p), mesh::minus(at(corners[2]), p), outwards) < 0)
      std::swap(corners[1], corners[2]);
    triangles_.insert(triangles_.end(), corners.begin(), corners.end());
  }

  // The node of the result where the surface crosses an edge of the grid.
  std::int32_t crossing(std::int32_t inside, std::int32_t outside) {
    const auto [found, is_new] = crossings_.try_emplace({std::min(inside, outside), std::max(inside, outside)},
                                                        static_cast<std::int32_t>(result_.nodes.size()));
    if (is_new) {
      const auto& p = grid_.nodes[static_cast<std::size_t>(inside)];
      const auto& q = grid_.nodes[static_cast<std::size_t>(outside)];
      const double share = value(inside) / (value(inside) - value(outside));
      auto& x = result_.nodes.emplace_back();
      for (std::size_t i = 0; i < 3; ++i) x[i] = p[i] + share * (q[i] - p[i]);
    }
    return found->second;
  }

  const mesh::Mesh& grid_;
  std::span<const Nearest> values_;
  mesh::Mesh result_;
  std::vector<std::int32_t> triangles_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> crossings_;
};

}  // namespace

mesh::Mesh picture(const model::Model& model, const model::Obstacle& obstacle, jit::Engine& engine, int cells) {
  if (const auto* surface = std::get_if<model::ClosedSurface>(&obstacle.shape)) {
    mesh::Mesh result;
    result.nodes = surface->nodes;
    auto& block = mesh::make_block(result, mesh::Shape::triangle);
    for (const auto& triangle : surface->triangles)
      block.elements.nodes.insert(block.elements.nodes.end(), triangle.begin(), triangle.end());
    block.tags.resize(surface->triangles.size());
    return result;
  }
  const auto region = region_of(model, obstacle);
  const auto size = mesh::minus(region.upper, region.lower);
  const double longest = *std::max_element(size.begin(), size.end());
  std::array<int, 3> along;
  for (std::size_t i = 0; i < 3; ++i) along[i] = std::max(1, static_cast<int>(std::ceil(cells * size[i] / longest)));
  const auto grid = mesh::make_box(along, region.lower, region.upper);
  std::vector<Nearest> values(grid.nodes.size());
  make_distance(obstacle, engine)->evaluate(grid.nodes, values);
  return Marching(grid, values).run();
}

}  // namespace proxima::contact
