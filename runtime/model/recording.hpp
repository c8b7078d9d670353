// A trajectory as a motion in time.
#pragma once

#include <vector>

#include "runtime/model/trajectory.hpp"

namespace proxima::model {

class Recording {
 public:
  // As TrajectoryReader.
  explicit Recording(const std::filesystem::path& path) : states_(path) {}

  const TrajectoryReader& states() const { return states_; }
  bool reaches(double time) const;  // s
  // Positions, 3 a node: those of a frame, bit by bit, in one (moment_at); between two, nodes go evenly along a
  // straight line. Throws Error where it does not reach that far.
  std::vector<double> positions(double time) const;

 private:
  TrajectoryReader states_;
};

}  // namespace proxima::model
