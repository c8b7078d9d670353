// Bytes by key on disk, shared by all processes of a user. Losing an entry, or the whole folder, costs time and nothing
// else: an entry that is missing, truncated or damaged reads as absent, and a failed write is no error.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/support/hash.hpp"

namespace proxima::jit {

class DiskCache {
 public:
  // The folder is made when first written to.
  explicit DiskCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // `kind` is the entry's file extension, e.g. "kernel".
  std::optional<std::string> read(const Hash& key, std::string_view kind) const;

  // Renames a finished file into place, so that readers and other writers of the same key see a whole entry. Says
  // whether it could; a full disk or a read-only home is no reason to stop.
  bool write(const Hash& key, std::string_view kind, std::string_view content) const noexcept;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path entry(const Hash& key, std::string_view kind) const;
  std::filesystem::path folder_;
};

}  // namespace proxima::jit
