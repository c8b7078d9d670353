// How far markers were seen from where the motion that was found has them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/proxima/attached_markers.hpp"
#include "apps/proxima/problem.hpp"

namespace proxima::app {

inline constexpr const char* marker_distances_name = "marker_distances.csv";

class MarkerDistances {
 public:
  // Of all terms of the scene's loss that have markers, attached where its own values start.
  explicit MarkerDistances(const Problem& problem);

  // Writes a row for each sighting beside the motion in `folder`, and prints a line for each term. Nothing where there
  // are no markers.
  void report(const std::filesystem::path& folder) const;

 private:
  struct Term {
    std::size_t number;  // in the loss
    SeenMarkers markers;
  };
  std::vector<Term> terms_;
};

}  // namespace proxima::app
