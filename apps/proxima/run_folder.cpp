#include "apps/proxima/run_folder.hpp"

#include "apps/proxima/rollout_record.hpp"
#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"

namespace proxima::app {
namespace {

namespace fs = std::filesystem;

// The folder, known to hold a run.
fs::path require_run(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) fail("{}: does not exist; the folder of a proxima run is needed", folder.string());
  for (const char* name : {"scene.json", model::trajectory_name})
    if (!fs::is_regular_file(folder / name, ignored))
      fail("{}: is not the folder of a run: it has no {}; proxima run SCENE -o FOLDER makes one", folder.string(),
           name);
  return folder;
}

nlohmann::ordered_json read_summary(const fs::path& file, std::vector<std::string>& notes) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  auto summary = nlohmann::ordered_json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (summary.is_object()) return summary;
  notes.push_back("summary.json is damaged and left out.");
  return {};
}

}  // namespace

RunFolder::RunFolder(const fs::path& where)
    : folder(require_run(where)),
      problem(load_problem({.scene = folder / "scene.json",
                            .output = {},
                            .existing = {},
                            .threads = {},
                            .solver = {},
                            .device = {},
                            .states_only = true})),
      states(folder),
      steps(read_steps(folder / "steps.csv")),
      summary(read_summary(folder / "summary.json", notes)) {
  const auto expected = trajectory_header(problem);
  const auto& found = states.header();
  if (found.nodes != expected.nodes || found.history != expected.history)
    fail("{}: has {} nodes and {} history variables, the scene beside it {} and {}: they are not of one run",
         (folder / model::trajectory_name).string(), found.nodes, found.history, expected.nodes, expected.history);
  if (states.frames() == 0) fail("{}: holds no whole state", (folder / model::trajectory_name).string());
  of_scene = found.fingerprint == expected.fingerprint;
  if (!of_scene)
    notes.push_back(
        "The motion was made with other values than those of scene.json, as after an identification: the body is shown "
        "without stress and energy.");
  if (steps.names.empty()) notes.push_back("There is no steps.csv: how the steps were solved is not shown.");
  if (steps.damaged > 0)
    notes.push_back(fmt::format("Lines of steps.csv that are damaged and left out: {}.", steps.damaged));
  if (last_step() < problem.model().steps)
    notes.push_back(
        fmt::format("The run is not finished: {} of {} steps are there.", last_step(), problem.model().steps));
}

}  // namespace proxima::app
