// How far markers were seen from where the motion that was found has them.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apps/proxima/attached_markers.hpp"

namespace proxima::app {

inline constexpr const char* marker_distances_name = "marker_distances.csv";

struct MarkerDistance {
  std::size_t loss = 0;  // the term's number
  double time = 0;       // s
  std::string marker;
  double distance = 0;  // m
};
// As that file says, in its order. Throws Error naming file and line where it is damaged.
std::vector<MarkerDistance> read_marker_distances(const std::filesystem::path& file);

// Of the sightings of one marker, of one time or of all.
struct Squares {
  double sum = 0;
  std::size_t count = 0;
  void add(double distance) {
    sum += distance * distance;
    ++count;
  }
  double root_mean() const { return std::sqrt(sum / static_cast<double>(count)); }
};

class MarkerDistances {
 public:
  // Of all terms of a scene's loss that have markers.
  explicit MarkerDistances(std::vector<TermMarkers> terms) : terms_(std::move(terms)) {}

  // Writes a row for each sighting beside the motion in `folder`, and prints a line for each term. Nothing where there
  // are no markers.
  void report(const std::filesystem::path& folder) const;

 private:
  std::vector<TermMarkers> terms_;
};

}  // namespace proxima::app
