// Whole files: read one, or write one so that a reader sees the old content or the new one and never a part.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace proxima {

// The content of a file, as bytes. Throws Error naming the file when it is missing, a folder, or unreadable.
std::string read_file(const std::filesystem::path& path);

// The same for a file that another file names: refuses devices and pipes, which may have no end.
std::string read_regular_file(const std::filesystem::path& path);

// Writes to a temporary name in the same folder, flushes it to the disk and renames it over `path`. The folder
// must exist. Throws Error naming the file; then `path` is untouched and the temporary is gone.
void write_file(const std::filesystem::path& path, std::string_view content);

// The same for a writer that insists on a file name of its own (a library's): hands it the temporary name.
// The temporary keeps the extension of `path`, since such writers look at it.
template <class Writer>
void write_through_temporary(const std::filesystem::path& path, Writer&& writer);

namespace detail {
std::filesystem::path temporary_beside(const std::filesystem::path& path);
void publish(const std::filesystem::path& temporary, const std::filesystem::path& path);
void discard(const std::filesystem::path& temporary) noexcept;
}  // namespace detail

template <class Writer>
void write_through_temporary(const std::filesystem::path& path, Writer&& writer) {
  const auto temporary = detail::temporary_beside(path);
  try {
    writer(temporary);
    detail::publish(temporary, path);
  } catch (...) {
    detail::discard(temporary);
    throw;
  }
}

}  // namespace proxima
