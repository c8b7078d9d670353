#include "apps/proxima/marker_distances.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/support/csv.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/recording.hpp"

namespace proxima::app {
namespace {

// Of the sightings of one marker, or of all.
struct Squares {
  double sum = 0;
  std::size_t count = 0;
  void add(double distance) {
    sum += distance * distance;
    ++count;
  }
  double root_mean() const { return std::sqrt(sum / static_cast<double>(count)); }
};

}  // namespace

MarkerDistances::MarkerDistances(const Problem& problem) {
  const auto& loss = problem.scene.loss;
  for (std::size_t i = 0; i < loss.size(); ++i)
    if (const auto* term = std::get_if<model::MarkersTerm>(&loss[i].what))
      terms_.push_back({i, load_markers(problem.model(), *term)});
}

void MarkerDistances::report(const std::filesystem::path& folder) const {
  if (terms_.empty()) return;
  const model::Recording motion(folder);
  std::string rows = "loss,time,marker,x,y,z,distance\n";
  for (const auto& [number, markers] : terms_) {
    const auto& names = markers.seen.markers;
    Squares all;
    std::vector<Squares> of_each(names.size());
    double at = -1;  // s
    std::vector<double> positions;
    for (const auto& [time, marker, position, where] : markers.seen.all) {
      if (time != at) positions = motion.positions(time);
      at = time;
      const auto there = mesh::attached_point(markers.attached[marker], positions);
      const double distance = mesh::norm(mesh::minus(there, position));
      all.add(distance);
      of_each[marker].add(distance);
      rows += fmt::format("{},{},{},{},{},{},{}\n", number, time, csv_field(names[marker]), there[0], there[1],
                          there[2], distance);
    }
    const auto worst = std::ranges::max_element(of_each, {}, &Squares::root_mean);
    fmt::print(
        "loss[{}]: markers were seen {:.3g} m from where the motion found has them (root mean square); '{}' is "
        "farthest with {:.3g} m\n",
        number, all.root_mean(), names[static_cast<std::size_t>(worst - of_each.begin())], worst->root_mean());
  }
  write_file(folder / marker_distances_name, rows);
}

}  // namespace proxima::app
