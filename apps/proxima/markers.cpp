// Where markers on the bodies of a run were, as a camera sees them: for studies of what such tables tell.
#include "runtime/model/markers.hpp"

#include <cmath>
#include <random>

#include "apps/proxima/attached_markers.hpp"
#include "apps/proxima/commands.hpp"
#include "apps/proxima/run_folder.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/model/recording.hpp"

namespace proxima::app {
namespace {

// Those at which there is a picture, s.
std::vector<double> times(const model::Recording& recording, const std::optional<double>& rate) {
  std::vector<double> result;
  const auto time_of = [&](double k) { return rate ? k / *rate : k * recording.states().header().time_step; };
  for (double k = 0; recording.reaches(time_of(k)); ++k) result.push_back(time_of(k));
  return result;
}

}  // namespace

int markers(const MarkersOptions& options) {
  const RunFolder run(options.folder);
  const model::Recording recording(options.folder);
  const auto places = model::read_marker_places(options.attach);
  const auto markers = attach_markers(run.problem.model(), recording.positions(0), places, options.attach_within);

  model::Sightings seen;
  for (const auto& place : places) seen.markers.push_back(place.marker);
  std::mt19937_64 random(options.seed);
  std::normal_distribution<double> normal(0, 1);
  std::bernoulli_distribution hidden(options.hidden);
  const auto all_times = times(recording, options.rate);
  for (const double time : all_times) {
    const auto positions = recording.positions(time);
    for (std::size_t marker = 0; marker < markers.size(); ++marker) {
      auto point = mesh::attached_point(markers[marker], positions);
      for (double& coordinate : point) coordinate += options.noise * normal(random);
      const bool is_hidden = hidden(random) && time > 0;
      if (!is_hidden) seen.all.push_back({time, marker, point});
    }
  }
  write_file(options.output, model::sightings_text(seen));
  fmt::print("{} markers, {}\n", markers.size(), distances_text(places, markers));
  fmt::print("written to {}: {} sightings at {} times from 0 to {:g} s, {} were hidden\n", options.output.string(),
             seen.all.size(), all_times.size(), all_times.back(), all_times.size() * markers.size() - seen.all.size());
  for (const auto& note : run.notes) fmt::print("{}\n", note);
  return 0;
}

}  // namespace proxima::app
