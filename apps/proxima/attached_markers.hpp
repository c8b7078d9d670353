// Markers of a table on the bodies of a scene.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/mesh/attachment.hpp"
#include "runtime/model/markers.hpp"
#include "runtime/model/model.hpp"
#include "runtime/model/scene.hpp"

namespace proxima::app {

// Each to the element nearest to its place when the model's nodes are at `positions`. `within`: how far it may be, m;
// none: a share of the diagonal of the body that it is nearest to. Throws Error naming the place in its table, the
// marker and the distance where one is farther.
std::vector<mesh::Attachment> attach_markers(const model::Model& model, std::span<const double> positions,
                                             std::span<const model::MarkerPlace> places, std::optional<double> within);

struct SeenMarkers {
  model::Sightings seen;
  std::vector<model::MarkerPlace> places;
  std::vector<mesh::Attachment> attached;  // where the model starts
};
// Of a term of the scene's loss, by its number there.
struct TermMarkers {
  std::size_t number;
  SeenMarkers markers;
};
// Those of a term. Throws Error as reading its tables and attaching do.
SeenMarkers load_markers(const model::Model& model, const model::MarkersTerm& term);

// Why they can hardly have been attached right, else "": what a table says of where they sit and where they were seen
// at time 0 are farther apart than a marker may be from a body.
std::string implausible_start(const model::Model& model, const SeenMarkers& markers);

// How many were seen and when, how far they are from the bodies, and how far from where they are attached they were
// seen at time 0, as one line.
std::string describe(const SeenMarkers& markers);
// Of that how far they are from the bodies.
std::string distances_text(std::span<const model::MarkerPlace> places, std::span<const mesh::Attachment> markers);

}  // namespace proxima::app
