#include "runtime/model/markers.hpp"

#include <algorithm>
#include <map>

#include "compiler/support/csv.hpp"
#include "compiler/support/file.hpp"

namespace proxima::model {
namespace {

Vector3 vector_in(const CsvTable& table, std::size_t row, std::size_t first_column, double unit) {
  Vector3 result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = unit * table.number(row, first_column + i);
  return result;
}

// As motion capture writes it of a marker that is hidden.
bool is_hidden(const CsvTable& table, std::size_t row) {
  return table.is_missing(row, 2) && table.is_missing(row, 3) && table.is_missing(row, 4);
}

// Of the motion; none where the row is not to count.
std::optional<double> time_in(const CsvTable& table, std::size_t row, double end, const TableReading& reading) {
  const double written = table.number(row, 0), time = written - reading.starts_at.value_or(0);
  if (reading.ends_at && written > *reading.ends_at) return std::nullopt;
  if (time < 0 && reading.starts_at) return std::nullopt;
  if (time < 0)
    fail("{}: time {} s is negative; the motion begins at 0 s, or at the time of the table that 'starts_at' says",
         table.where(row), written);
  if (time > end)
    fail(
        "{}: time {} s is after the end of the motion, {:g} s{}; 'ends_at' leaves later rows out, 'starts_at' says "
        "when in the table the motion starts",
        table.where(row), written, end,
        reading.starts_at ? fmt::format(" after it starts at {:g} s", *reading.starts_at) : "");
  return time;
}

}  // namespace

Sightings read_sightings(const std::filesystem::path& file, double end, const TableReading& reading) {
  return parse_sightings(read_regular_file(file), end, file.string(), reading);
}

Sightings parse_sightings(std::string_view text, double end, const std::string& name, const TableReading& reading) {
  const CsvTable table(name, text, {"time", "marker", "x", "y", "z"});
  Sightings result;
  result.starts_at = reading.starts_at.value_or(0);
  std::map<std::string, std::size_t> numbers;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto time = time_in(table, row, end, reading);
    const auto& marker = table.text(row, 1);
    if (!time || is_hidden(table, row)) {
      ++(time ? result.hidden : result.outside);
      continue;
    }
    const auto [known, is_new] = numbers.emplace(marker, result.markers.size());
    if (is_new) result.markers.push_back(marker);
    result.all.push_back({*time, known->second, vector_in(table, row, 2, reading.length_unit), table.where(row)});
  }
  if (result.all.empty())
    fail("{}: no marker is seen in it: {} rows are empty or NaN, {} are before 'starts_at' or after 'ends_at'", name,
         result.hidden, result.outside);
  const auto key = [](const Sighting& sighting) { return std::pair(sighting.time, sighting.marker); };
  std::ranges::stable_sort(result.all, {}, key);
  const auto twice = std::ranges::adjacent_find(result.all, {}, key);
  if (twice != result.all.end())
    fail("{}: marker '{}' is seen twice at {} s, first in {}", std::next(twice)->where, result.markers[twice->marker],
         twice->time, twice->where);
  return result;
}

std::vector<MarkerPlace> read_marker_places(const std::filesystem::path& table, double length_unit) {
  const CsvTable rows(table.string(), read_regular_file(table), {"marker", "x", "y", "z"});
  std::vector<MarkerPlace> result;
  std::map<std::string, std::string> first;  // where each name was found
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const auto& name = rows.text(row, 0);
    const auto [known, is_new] = first.emplace(name, rows.where(row));
    if (!is_new) fail("{}: marker '{}' is there twice, first in {}", rows.where(row), name, known->second);
    result.push_back({name, vector_in(rows, row, 1, length_unit), rows.where(row)});
  }
  return result;
}

std::vector<MarkerPlace> marker_places(const Sightings& sightings, const std::optional<std::filesystem::path>& table,
                                       double length_unit) {
  std::vector<std::optional<MarkerPlace>> found(sightings.markers.size());
  for (const auto& sighting : sightings.all)
    if (sighting.time == 0)
      found[sighting.marker] = {sightings.markers[sighting.marker], sighting.position, sighting.where};
  if (table)
    for (const auto& place : read_marker_places(*table, length_unit)) {
      const auto marker = std::ranges::find(sightings.markers, place.marker);
      if (marker != sightings.markers.end())
        found[static_cast<std::size_t>(marker - sightings.markers.begin())] = place;
    }
  std::vector<MarkerPlace> result;
  for (std::size_t marker = 0; marker < found.size(); ++marker) {
    if (!found[marker]) {
      const auto first = std::ranges::find(sightings.all, marker, &Sighting::marker);
      fail(
          "{}: marker '{}' is first seen at {:g} s, so nothing says where on the body it sits; it needs a row at time "
          "{}{}",
          first->where, sightings.markers[marker], sightings.starts_at + first->time, sightings.starts_at,
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
