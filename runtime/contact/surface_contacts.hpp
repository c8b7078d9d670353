// Contacts between the surfaces of bodies, and of a body with itself: which there are in a step, and their numbers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compiler/jit/jit.hpp"
#include "runtime/contact/geometry.hpp"
#include "runtime/model/model.hpp"

namespace proxima::contact {

// Of Model::contacts the pairs with with_obstacle == false. A body's surface is the boundary of its solids, its
// triangles and its edges. A vertex touches faces, an edge touches edges; nodes that belong to both sides, and pairs
// all of whose nodes are held, don't. The gap is the signed distance of the two less the pair's thickness, m:
//   vertex_face  nodes v, a, b, c. The distance from the nearest point of the triangle, along the plane's normal inside
//                it. Its sign: inside the triangle by the plane, turned by the key's side (solids: 1, outwards), at an
//                edge or a corner by the normal of the surface there; positive at the rim of a sheet. Where the
//                surface comes nearer to the vertex in another face, that face's contact counts; this one is open,
//                its gap larger by the model's size.
//   edge_edge    nodes a0, a1 (the first side), b0, b1. The distance of the two lines along their common normal where
//                their nearest points are inside both edges; its sign by where the first edge was at the start.
//                Otherwise, and where sin^2 of the angle between them is below 1e-3, that of the nearest points,
//                without sign, and larger by the model's size where a vertex and a face say the same (unless the
//                other edge has no face).
// The first side of a vertex_face contact is that of the vertex, whichever body of the pair it belongs to.
// Positions are 3 a node of the model, m. Of a list of keys those that are no such contacts are passed over, and so are
// their entries of the other spans, which have one a key. One thread of callers at a time.
class SurfaceContacts {
 public:
  // Throws Error for a pair that has a sheet or an edge body in it and no thickness: what has no inside needs one,
  // since of what touches at distance 0 rounding would tell the side.
  SurfaceContacts(const model::Model& model, jit::Engine& engine);
  ~SurfaceContacts();

  // Contacts that count in the step as far as x: whose gap at x is below `margin` (m), and which met on the straight
  // way from the start to x. Appended, in increasing order, each once, side included. Left out is what others say
  // already: of a vertex above an edge or a corner all but one face of those around it, and all where another face of
  // them is nearer; two edges both of whose faces are within 5 degrees of flat; two edges nearest at an end, but for
  // edges that no face has.
  void candidates(const StepSpan& span, std::span<const double> x, double margin, std::vector<model::ContactKey>& keys);

  // Appends those of them that are not among `known` and have a gap below -tolerance at x: what a step that was solved
  // for `known` alone has passed through.
  void missed(const StepSpan& span, std::span<const model::ContactKey> known, std::span<const double> x,
              double tolerance, std::vector<model::ContactKey>& keys);

  // `keys` as from candidates of the same step; one Geometry each.
  void evaluate(const StepSpan& span, std::span<const model::ContactKey> keys, std::span<const double> x,
                std::span<Geometry> contacts) const;

  // From the derivatives of a number by gap, normal, weights, slip and directions of each contact adds those by x and
  // by the positions at the start (3 a node each; empty: not wanted). `places`: where those by x go. Which formula
  // holds, and on which side, has no derivative.
  void pull_back(const StepSpan& span, std::span<const model::ContactKey> keys, std::span<const double> x,
                 std::span<const Geometry> bars, std::span<double> by_x, std::span<double> by_start,
                 Places places = Places::nodes) const;
  // The same by the rest positions, 3 a node, through the directions.
  void pull_back_rest(const StepSpan& span, std::span<const model::ContactKey> keys, std::span<const double> x,
                      std::span<const Geometry> bars, std::span<double> by_rest) const;

  // Nodes are elsewhere at rest.
  void set_rest(std::span<const Vector3> nodes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::contact
