// The rules for an output folder: nothing of the user's is ever removed, and nothing is made before it is known that
// there is something to write.
#pragma once

#include <cstdint>
#include <filesystem>

#include "apps/proxima/commands.hpp"

namespace proxima::app {

// Throws Error when `folder` may not be written to in this way: it is a file, or it has files in it and `existing` is
// `refuse`. Changes nothing. The message names --resume where the command has it.
enum class Resumable : std::uint8_t { no, yes };
void check_folder(const std::filesystem::path& folder, Existing existing, Resumable resumable = Resumable::yes);

// Makes the folder, or makes it fit: `overwrite` removes what proxima wrote before (the files of a run or an
// optimization), `resume` only temporary files that a killed run left.
void open_folder(const std::filesystem::path& folder, Existing existing);

// Removes the states, pictures and logs of a run.
void remove_motion(const std::filesystem::path& folder);

}  // namespace proxima::app
