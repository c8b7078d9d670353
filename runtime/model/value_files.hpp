// Files with one value, or several, for each element. Internal to the room.
#pragma once

#include <filesystem>
#include <vector>

namespace proxima::model {

// Numbers separated by white space. Throws Error naming file and line where something else stands.
std::vector<double> read_numbers(const std::filesystem::path& file);

}  // namespace proxima::model
