#include "apps/proxima/output_folder.hpp"

#include <algorithm>
#include <regex>
#include <string>
#include <system_error>
#include <vector>

#include "compiler/support/error.hpp"

namespace proxima::app {
namespace {

namespace fs = std::filesystem;

// Names that commands write, and the temporaries of compiler/support/file.hpp.
const std::regex written(
    R"((scene\.json|trajectory\.bin|steps\.csv|summary\.json|motion\.pvd|frame_\d+\.vtu|surface_\d+\.obj)"
    R"(|marker_distances\.csv|report\.html|result\.json|loss\.csv|loss\.svg|evaluations\.bin|gradcheck\.json))");
const std::regex of_motion(R"((trajectory\.bin|steps\.csv|summary\.json|motion\.pvd|frame_\d+\.vtu|surface_\d+\.obj)"
                           R"(|marker_distances\.csv))");
const std::regex temporary(R"(\w+\.tmp-\d+-\d+\.\w+)");

void remove_matching(const fs::path& folder, const std::regex& names) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && std::regex_match(entry.path().filename().string(), names)) found.push_back(entry);
  }
  for (const auto& file : found) fs::remove(file);
}

}  // namespace

void check_folder(const fs::path& folder, Existing existing, Resumable resumable) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return;
  if (!fs::is_directory(folder, ignored)) fail("{}: is a file, a folder is needed for the output", folder.string());
  if (existing != Existing::refuse || fs::is_empty(folder, ignored)) return;
  fail("{}: is not empty; --overwrite replaces what proxima wrote there{}", folder.string(),
       resumable == Resumable::yes ? ", and --resume goes on with an interrupted run or optimization" : "");
}

void open_folder(const fs::path& folder, Existing existing) {
  check_folder(folder, existing);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("{}: cannot be made ({})", folder.string(), error.message());
  remove_matching(folder, temporary);
  if (existing == Existing::overwrite) remove_matching(folder, written);
}

void remove_motion(const fs::path& folder) { remove_matching(folder, of_motion); }

}  // namespace proxima::app
