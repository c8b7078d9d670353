// What a run left in its folder, finished or not, read back for a report.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/proxima/problem.hpp"
#include "apps/proxima/step_table.hpp"
#include "runtime/model/trajectory.hpp"

namespace proxima::app {

struct RunFolder {
  // Throws Error where the folder holds no run, and what reading its scene throws. What is damaged or missing beside
  // scene and trajectory is left out and said in `notes`.
  explicit RunFolder(const std::filesystem::path& folder);

  std::filesystem::path folder;
  std::vector<std::string> notes;
  Problem problem;
  model::TrajectoryReader states;
  StepTable steps;
  nlohmann::ordered_json summary;  // null where there is none
  // Whether the states were made by the scene's values: those of an identification were made by the values it found.
  bool of_scene = true;

  int last_step() const { return states.frames() - 1; }
};

}  // namespace proxima::app
