// The files of a rollout, written while it runs so that a kill at any moment leaves them readable: trajectory.bin
// (every state, what a resumed run starts from), steps.csv (how each step was solved), pictures (frames.hpp) and
// summary.json at the end.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "apps/proxima/frames.hpp"
#include "apps/proxima/problem.hpp"
#include "apps/proxima/step_log.hpp"
#include "runtime/model/trajectory.hpp"

namespace proxima::app {

// What a trajectory of this problem says of itself: a resumed run must have the same.
model::TrajectoryHeader trajectory_header(const Problem& problem);

class RolloutRecord {
 public:
  // Begins in `folder` (made already), or goes on with what is there when it has a trajectory.
  RolloutRecord(const Problem& problem, std::filesystem::path folder);

  // Steps done so far, and the state after them.
  int steps() const { return trajectory_.frames() - 1; }
  solve::State state() const;

  // The next step.
  void add(const solve::State& state, const solve::StepReport& report);
  void list_frames();  // makes motion.pvd complete, which add() leaves up to a second behind
  void finish(const std::string& name = "") const;  // prints a line, which begins with the name

 private:
  const Problem& problem_;
  std::filesystem::path folder_;
  model::TrajectoryWriter trajectory_;
  StepLog log_;
  Frames frames_;
  std::chrono::steady_clock::time_point listed_;
};

// Runs the steps that the record lacks, with a progress bar under this label.
void record_rollout(const Problem& problem, RolloutRecord& record, const std::string& label);
// The same without a bar, for one of several at a time; `name`: of the world, for what is printed at its end.
void record_world(const Problem& problem, RolloutRecord& record, const std::string& name);

}  // namespace proxima::app
