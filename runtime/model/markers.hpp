// Where markers on a body were seen, as motion capture and image tracking tell it: a table of CSV, one sighting a row.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/mesh/elements.hpp"

namespace proxima::model {

using mesh::Vector3;

struct Sighting {
  double time = 0;         // s
  std::size_t marker = 0;  // its number in Sightings::markers
  Vector3 position{};      // m
  std::string where{};     // "FILE:LINE"
};

struct Sightings {
  std::vector<std::string> markers;  // names, in the order of the file
  std::vector<Sighting> all;         // by time, those of one time by marker; there are some
  std::size_t hidden = 0;            // rows that say of a marker that it was not seen
  std::size_t outside = 0;           // rows before the motion starts, or after those that count
  double starts_at = 0;              // s: the table's time when the motion starts
};

// How what a camera wrote is read as a motion in metres from time 0 on.
struct TableReading {
  double length_unit = 1;  // m
  // Times of the table, s: when the motion starts, and until when rows count. Others are left out where they are given.
  std::optional<double> starts_at, ends_at;
};

// Columns time, marker, x, y, z (compiler/support/csv.hpp); x, y and z may all be empty, or NaN. Throws Error naming
// file and line, also for a time before the motion or after its `end`, and a marker that is seen twice at one time.
Sightings read_sightings(const std::filesystem::path& file, double end, const TableReading& reading = {});
// The same from the text of the file of that name.
Sightings parse_sightings(std::string_view text, double end, const std::string& name, const TableReading& reading = {});

// Where a marker is when the motion begins.
struct MarkerPlace {
  std::string marker;
  Vector3 position{};
  std::string where{};  // "FILE:LINE"
};

// From a table of the columns marker, x, y, z, in its order. Throws Error naming file and line, also for a marker that
// is there twice.
std::vector<MarkerPlace> read_marker_places(const std::filesystem::path& table, double length_unit = 1);

// One for each marker that was seen: as such a table says, where there is one and it is in it, else where it was seen
// at time 0. Throws Error naming the marker that has neither.
std::vector<MarkerPlace> marker_places(const Sightings& sightings, const std::optional<std::filesystem::path>& table,
                                       double length_unit = 1);

// The text of such a table; read_sightings finds the same numbers in it.
std::string sightings_text(const Sightings& sightings);

}  // namespace proxima::model
