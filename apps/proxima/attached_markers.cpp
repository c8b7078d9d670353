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

// How far sightings at time 0 are from where the markers sit, m: the root mean square of so many, 0 of none.
struct AtStart {
  double distance = 0;
  std::size_t count = 0;
};
AtStart seen_at_start(const SeenMarkers& markers) {
  double squares = 0;
  std::size_t count = 0;
  for (const auto& sighting : markers.seen.all) {
    if (sighting.time > 0) break;
    const auto away = mesh::minus(sighting.position, markers.places[sighting.marker].position);
    squares += mesh::dot(away, away);
    ++count;
  }
  return {count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count)), count};
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
      fail(
          "{}: marker '{}' is {:.3g} m from the body; {:.3g} m at most{}: are these metres (length_unit says what "
          "else), in the scene's axes?",
          place.where, place.marker, markers[i].distance, most,
          within ? " is attach_within"
                 : ", 5 % of its diagonal, is taken for a marker on it (attach_within allows more)");
  }
  return markers;
}

SeenMarkers load_markers(const model::Model& model, const model::MarkersTerm& term) {
  const double end = (model.steps + model::frame_width) * model.time_step;
  SeenMarkers result{model::read_sightings(term.table, end, term.reading), {}, {}};
  result.places = model::marker_places(result.seen, term.attach, term.reading.length_unit);
  result.attached = attach_markers(model, solve::initial_state(model).positions, result.places, term.attach_within);
  return result;
}

std::string implausible_start(const model::Model& model, const SeenMarkers& markers) {
  const auto start = seen_at_start(markers);
  const double most = plausible * diagonal_of(model, markers.attached[0].nodes[0]);
  if (start.distance <= most) return "";
  return fmt::format(
      "markers were seen {:.3g} m from where the table under 'attach' has them at the start (root mean square), more "
      "than 5 % of the body's diagonal: are units (length_unit), axes and the time of the start (starts_at) right?",
      start.distance);
}

std::string describe(const SeenMarkers& markers) {
  const auto& [seen, places, attached] = markers;
  auto text =
      fmt::format("{} marker{} seen {} times from {:g} to {:g} s; {}", places.size(), places.size() == 1 ? "" : "s",
                  seen.all.size(), seen.all.front().time, seen.all.back().time, distances_text(places, attached));
  if (const auto start = seen_at_start(markers); start.distance > 0)
    text += fmt::format("; seen {:.3g} m from there at time 0 (root mean square of {})", start.distance, start.count);
  if (seen.hidden > 0) text += fmt::format("; rows of hidden ones: {}", seen.hidden);
  if (seen.outside > 0) text += fmt::format("; rows left out, before starts_at or after ends_at: {}", seen.outside);
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
