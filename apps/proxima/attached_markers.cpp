#include "apps/proxima/attached_markers.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/support/error.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/moment.hpp"
#include "runtime/solve/step/rollout.hpp"

namespace proxima::app {
namespace {

constexpr double plausible = 0.05;  // of a body's diagonal

// Of the body that has the node, at rest.
double diagonal_of(const model::Model& model, std::int32_t node) {
  const auto body = std::ranges::find_if(
      model.bodies, [node](const auto& b) { return node >= b.first_node && node < b.first_node + b.nodes; });
  const auto begin = model.mesh.nodes.begin() + body->first_node;
  const auto box = mesh::bounding_box({{begin, begin + body->nodes}, {}, {}});
  return mesh::norm(mesh::minus(box.upper, box.lower));
}

}  // namespace

std::vector<mesh::Attachment> attach_markers(const model::Model& model, std::span<const double> positions,
                                             std::span<const model::MarkerPlace> places, std::optional<double> within) {
  std::vector<mesh::Vector3> points;
  for (const auto& place : places) points.push_back(place.position);
  auto markers = mesh::attach(model.mesh, positions, points);
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const auto& place = places[i];
    const double most = within.value_or(plausible * diagonal_of(model, markers[i].nodes[0]));
    if (!(markers[i].distance <= most))
      fail("{}: marker '{}' is {:.3g} m from the body; {:.3g} m at most{}: are these metres, in the scene's axes?",
           place.where, place.marker, markers[i].distance, most,
           within ? " is attach_within"
                  : ", 5 % of its diagonal, is taken for a marker on it (attach_within allows more)");
  }
  return markers;
}

SeenMarkers load_markers(const model::Model& model, const model::MarkersTerm& term) {
  SeenMarkers result{model::read_sightings(term.table, (model.steps + model::frame_width) * model.time_step), {}, {}};
  result.places = model::marker_places(result.seen, term.attach);
  result.attached = attach_markers(model, solve::initial_state(model).positions, result.places, term.attach_within);
  return result;
}

std::string describe(const SeenMarkers& markers) {
  const auto& [seen, places, attached] = markers;
  auto text =
      fmt::format("{} marker{} seen {} times from {:g} to {:g} s; {}", places.size(), places.size() == 1 ? "" : "s",
                  seen.all.size(), seen.all.front().time, seen.all.back().time, distances_text(places, attached));
  double squares = 0;
  std::size_t count = 0;
  for (const auto& sighting : seen.all) {
    if (sighting.time > 0) break;
    const auto away = mesh::minus(sighting.position, places[sighting.marker].position);
    squares += mesh::dot(away, away);
    ++count;
  }
  if (squares > 0)
    text += fmt::format("; seen {:.3g} m from there at time 0 (root mean square of {})",
                        std::sqrt(squares / static_cast<double>(count)), count);
  return text;
}

std::string distances_text(std::span<const model::MarkerPlace> places, std::span<const mesh::Attachment> markers) {
  double sum = 0;
  for (const auto& marker : markers) sum += marker.distance;
  const auto farthest = std::ranges::max_element(markers, {}, &mesh::Attachment::distance);
  return fmt::format("{:.3g} m from the body on average, '{}' is farthest with {:.3g} m",
                     sum / static_cast<double>(markers.size()),
                     places[static_cast<std::size_t>(farthest - markers.begin())].marker, farthest->distance);
}

}  // namespace proxima::app
