#include "runtime/model/markers.hpp"

#include <algorithm>
#include <map>

#include "compiler/support/csv.hpp"
#include "compiler/support/file.hpp"

namespace proxima::model {
namespace {

Vector3 vector_in(const CsvTable& table, std::size_t row, std::size_t first_column) {
  Vector3 result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = table.number(row, first_column + i);
  return result;
}

double time_in(const CsvTable& table, std::size_t row, double end) {
  const double time = table.number(row, 0);
  if (time < 0) fail("{}: time {} s is negative; the motion begins at 0 s", table.where(row), time);
  if (time > end) fail("{}: time {} s is after the end of the motion, {} s", table.where(row), time, end);
  return time;
}

}  // namespace

Sightings read_sightings(const std::filesystem::path& file, double end) {
  return parse_sightings(read_regular_file(file), end, file.string());
}

Sightings parse_sightings(std::string_view text, double end, const std::string& name) {
  const CsvTable table(name, text, {"time", "marker", "x", "y", "z"});
  Sightings result;
  std::map<std::string, std::size_t> numbers;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double time = time_in(table, row, end);
    const auto& marker = table.text(row, 1);
    const auto [known, is_new] = numbers.emplace(marker, result.markers.size());
    if (is_new) result.markers.push_back(marker);
    result.all.push_back({time, known->second, vector_in(table, row, 2), table.where(row)});
  }
  const auto key = [](const Sighting& sighting) { return std::pair(sighting.time, sighting.marker); };
  std::ranges::stable_sort(result.all, {}, key);
  const auto twice = std::ranges::adjacent_find(result.all, {}, key);
  if (twice != result.all.end())
    fail("{}: marker '{}' is seen twice at {} s, first in {}", std::next(twice)->where, result.markers[twice->marker],
         twice->time, twice->where);
  return result;
}

std::vector<MarkerPlace> read_marker_places(const std::filesystem::path& table) {
  const CsvTable rows(table.string(), read_regular_file(table), {"marker", "x", "y", "z"});
  std::vector<MarkerPlace> result;
  std::map<std::string, std::string> first;  // where each name was found
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const auto& name = rows.text(row, 0);
    const auto [known, is_new] = first.emplace(name, rows.where(row));
    if (!is_new) fail("{}: marker '{}' is there twice, first in {}", rows.where(row), name, known->second);
    result.push_back({name, vector_in(rows, row, 1), rows.where(row)});
  }
  return result;
}

std::vector<MarkerPlace> marker_places(const Sightings& sightings, const std::optional<std::filesystem::path>& table) {
  std::vector<std::optional<MarkerPlace>> found(sightings.markers.size());
  for (const auto& sighting : sightings.all)
    if (sighting.time == 0)
      found[sighting.marker] = {sightings.markers[sighting.marker], sighting.position, sighting.where};
  if (table)
    for (const auto& place : read_marker_places(*table)) {
      const auto marker = std::ranges::find(sightings.markers, place.marker);
      if (marker != sightings.markers.end())
        found[static_cast<std::size_t>(marker - sightings.markers.begin())] = place;
    }
  std::vector<MarkerPlace> result;
  for (std::size_t marker = 0; marker < found.size(); ++marker) {
    if (!found[marker]) {
      const auto first = std::ranges::find(sightings.all, marker, &Sighting::marker);
      fail(
          "{}: marker '{}' is first seen at {} s, so nothing says where on the body it sits; it needs a row at time "
          "0{}",
          first->where, sightings.markers[marker], first->time,
          table ? fmt::format(", or one in {}", table->string()) : ", or one in a table under 'attach'");
    }
    result.push_back(std::move(*found[marker]));
  }
  return result;
}

std::string sightings_text(const Sightings& sightings) {
  std::string text = "time,marker,x,y,z\n";
  for (const auto& [time, marker, position, where] : sightings.all)
    text += fmt::format("{},{},{},{},{}\n", time, csv_field(sightings.markers[marker]), position[0], position[1],
                        position[2]);
  return text;
}

}  // namespace proxima::model
