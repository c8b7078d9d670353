#include "compiler/support/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "compiler/support/error.hpp"

namespace proxima {

std::string read_file(const std::filesystem::path& path) {
  std::error_code status_error;
  if (!std::filesystem::exists(path, status_error)) fail("{}: no such file", path.string());
  if (std::filesystem::is_directory(path, status_error)) fail("{}: is a folder, a file is needed", path.string());
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("{}: cannot be opened for reading ({})", path.string(), std::strerror(errno));
  std::string content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) fail("{}: reading failed", path.string());
  return content;
}

std::string read_regular_file(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && std::filesystem::is_other(status))
    fail("{}: is a device or a pipe, a file is needed", path.string());
  return read_file(path);
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  write_through_temporary(path, [&](const std::filesystem::path& temporary) {
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    stream.close();
    if (!stream) fail("{}: cannot be written ({})", path.string(), std::strerror(errno));
  });
}

namespace detail {

std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  // The process id keeps two programs apart, the counter two threads.
  static std::atomic<unsigned> counter{0};
  auto name = path.stem().string() + fmt::format(".tmp-{}-{}", ::getpid(), counter++) + path.extension().string();
  return path.parent_path() / name;
}

void publish(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  // Without the flush a power cut can leave the new name on an empty file.
  const int descriptor = ::open(temporary.c_str(), O_RDONLY);
  if (descriptor < 0) fail("{}: cannot be written ({})", path.string(), std::strerror(errno));
  ::fsync(descriptor);
  ::close(descriptor);
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) fail("{}: cannot be written ({})", path.string(), error.message());
}

void discard(const std::filesystem::path& temporary) noexcept {
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
}

}  // namespace detail
}  // namespace proxima
