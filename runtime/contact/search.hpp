// Contacts of one pair of surfaces in a step. Internal to the room.
#pragma once

#include <functional>
#include <vector>

#include "runtime/contact/box_tree.hpp"
#include "runtime/contact/feature.hpp"

namespace proxima::contact {

inline constexpr double flat_cosine = 0.99619469809174555;   // of 5 degrees
inline constexpr double blunt_cosine = 0.86602540378443865;  // of 30 degrees

// A surface with the trees of its faces and edges around what these sweep in a step.
class SweptSurface {
 public:
  SweptSurface(Surface surface, std::span<const Vector3> rest);

  // Boxes around the ways from start to x, `by` wider on each side; which edges are flat at the start.
  void fit(std::span<const double> start, std::span<const double> x, double by);

  const Surface& surface() const { return surface_; }
  const BoxTree& faces() const { return faces_; }
  // What an edge may touch of this surface: two flat edges don't.
  const BoxTree& edges_for(bool flat) const { return flat ? sharp_edges_ : edges_; }
  // Whether its two faces are within 5 degrees, or within 30, of one plane at the start.
  bool is_flat(std::int32_t edge) const { return cosine_[static_cast<std::size_t>(edge)] > flat_cosine; }
  bool is_blunt(std::int32_t edge) const { return cosine_[static_cast<std::size_t>(edge)] > blunt_cosine; }

 private:
  Surface surface_;
  BoxTree faces_, edges_;
  BoxTree sharp_edges_;         // of all edges; those that are flat have boxes that meet none
  std::vector<double> cosine_;  // between the normals of an edge's two faces; -1: it has not two
};

struct Search {
  std::int32_t number = 0;  // of the pair
  SurfacePair pair;
  const SweptSurface* first = nullptr;
  const SweptSurface* second = nullptr;  // may be `first`
  std::span<const char> held;
  std::span<const double> start, x;
  double reach = 0;  // margin and thickness, m
};

// Append keys, in an order that does not depend on threads; a key may come more than once. `vertices` is one of the two
// surfaces of the pair, `faces` the other.
void find_vertex_faces(const Search& search, const SweptSurface& vertices, const SweptSurface& faces,
                       std::vector<model::ContactKey>& out);
void find_edge_edges(const Search& search, std::vector<model::ContactKey>& out);

// Box around the way of some nodes.
Bounds swept_box(std::span<const std::int32_t> nodes, std::span<const double> start, std::span<const double> x);
// The most by which a node of the first side and one of the other come nearer from start to x; the first `count` nodes
// are the first side.
double largest_approach(const Four& start, const Four& end, std::size_t count);

// Calls find(k, keys) for 0 <= k < count, chunks of them at the same time, and appends what they found in order.
void collect(std::size_t count, std::vector<model::ContactKey>& out,
             const std::function<void(std::size_t, std::vector<model::ContactKey>&)>& find);

}  // namespace proxima::contact
