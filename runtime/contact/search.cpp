#include "runtime/contact/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/device/parallel.hpp"
#include "runtime/mesh/vectors.hpp"

namespace proxima::contact {
namespace {

constexpr std::size_t chunk = 64;

std::vector<Vector3> centres_of(const auto& things, std::span<const Vector3> rest, const auto& nodes_of) {
  std::vector<Vector3> centres;
  centres.reserve(things.size());
  for (const auto& thing : things) {
    Vector3 sum{};
    for (const auto node : nodes_of(thing)) mesh::add(sum, 1, rest[static_cast<std::size_t>(node)]);
    centres.push_back(mesh::scaled(1.0 / static_cast<double>(nodes_of(thing).size()), sum));
  }
  return centres;
}

const auto& nodes_of_face(const Face& face) { return face.nodes; }
const auto& nodes_of_edge(const std::array<std::int32_t, 2>& edge) { return edge; }

}  // namespace

SweptSurface::SweptSurface(Surface surface, std::span<const Vector3> rest)
    : surface_(std::move(surface)),
      faces_(centres_of(surface_.faces, rest, nodes_of_face)),
      edges_(centres_of(surface_.edges, rest, nodes_of_edge)),
      sharp_edges_(edges_),
      cosine_(surface_.edges.size(), -1) {}

void SweptSurface::fit(std::span<const double> start, std::span<const double> x, double by) {
  std::vector<Bounds> boxes(surface_.faces.size());
  device::parallel_chunks(boxes.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      boxes[f] = swept_box(surface_.faces[f].nodes, start, x);
      boxes[f].grow(by);
    }
  });
  faces_.fit(boxes);
  boxes.resize(surface_.edges.size());
  device::parallel_chunks(boxes.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      boxes[e] = swept_box(surface_.edges[e], start, x);
      boxes[e].grow(by);
      const auto around = surface_.faces_of_edge(static_cast<std::int32_t>(e));
      if (around.size() == 2)
        cosine_[e] = mesh::dot(face_normal(surface_.faces[static_cast<std::size_t>(around[0])], start),
                               face_normal(surface_.faces[static_cast<std::size_t>(around[1])], start));
    }
  });
  edges_.fit(boxes);
  constexpr double far = std::numeric_limits<double>::infinity();
  for (std::size_t e = 0; e < boxes.size(); ++e)
    if (is_flat(static_cast<std::int32_t>(e))) boxes[e] = {{far, far, far}, {-far, -far, -far}};
  sharp_edges_.fit(boxes);
}

Bounds swept_box(std::span<const std::int32_t> nodes, std::span<const double> start, std::span<const double> x) {
  const auto first = mesh::vector_at(x, nodes[0]);
  Bounds box{first, first};
  for (const auto node : nodes)
    for (const auto& at : {mesh::vector_at(start, node), mesh::vector_at(x, node)}) box.add({at, at});
  return box;
}

double largest_approach(const Four& start, const Four& end, std::size_t count) {
  double most = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = count; b < 4; ++b) {
      const auto relative = mesh::minus(mesh::minus(end[a], start[a]), mesh::minus(end[b], start[b]));
      most = std::max(most, mesh::dot(relative, relative));
    }
  return std::sqrt(most);
}

void collect(std::size_t count, std::vector<model::ContactKey>& out,
             const std::function<void(std::size_t, std::vector<model::ContactKey>&)>& find) {
  std::vector<std::vector<model::ContactKey>> found((count + chunk - 1) / chunk);
  device::parallel_chunks(count, chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) find(k, found[begin / chunk]);
  });
  for (const auto& keys : found) out.insert(out.end(), keys.begin(), keys.end());
}

}  // namespace proxima::contact
