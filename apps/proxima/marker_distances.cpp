#include "apps/proxima/marker_distances.hpp"

#include <algorithm>

#include "compiler/support/csv.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/vectors.hpp"
#include "runtime/model/recording.hpp"

namespace proxima::app {
namespace {

constexpr const char* columns = "loss,time,marker,x,y,z,distance";

}  // namespace

std::vector<MarkerDistance> read_marker_distances(const std::filesystem::path& file) {
  const auto names = split(columns, ',');
  const CsvTable table(file.string(), read_file(file), {names.begin(), names.end()});
  std::vector<MarkerDistance> result;
  result.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row)
    result.push_back({static_cast<std::size_t>(table.number(row, 0)), table.number(row, 1), table.text(row, 2),
                      table.number(row, 6)});
  return result;
}

void MarkerDistances::report(const std::filesystem::path& folder) const {
  if (terms_.empty()) return;
  const model::Recording motion(folder);
  std::string rows = columns + std::string("\n");
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
