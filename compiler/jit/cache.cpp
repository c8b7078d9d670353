#include "compiler/jit/cache.hpp"

#include <cstring>
#include <exception>
#include <fstream>

#include "compiler/support/file.hpp"

namespace proxima::jit {
namespace {

// What stands before the content of every entry.
struct Header {
  char magic[8];
  std::uint64_t size;
  Hash checksum;
};
static_assert(sizeof(Header) == 32);

Header header_of(std::string_view content) {
  return {{'P', 'X', 'C', 'A', 'C', 'H', 'E', '1'}, content.size(), hash_bytes(content)};
}

}  // namespace

std::optional<std::string> DiskCache::read(const Hash& key, std::string_view kind) const {
  const auto path = entry(key, kind);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::string bytes;
  try {
    bytes = read_file(path);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (bytes.size() < sizeof(Header)) return std::nullopt;
  const Header expected = header_of(std::string_view(bytes).substr(sizeof(Header)));
  if (std::memcmp(bytes.data(), &expected, sizeof(Header)) != 0) return std::nullopt;
  return bytes.substr(sizeof(Header));
}

bool DiskCache::write(const Hash& key, std::string_view kind, std::string_view content) const noexcept {
  try {
    std::filesystem::create_directories(folder_);
    const Header header = header_of(content);
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof(Header));
    bytes += content;
    // Not write_file(): that waits for the disk, and what a power cut may leave here is told by the checksum.
    const auto path = entry(key, kind);
    const auto temporary = detail::temporary_beside(path);
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    std::error_code error;
    if (stream) std::filesystem::rename(temporary, path, error);
    if (stream && !error) return true;
    detail::discard(temporary);
    return false;
  } catch (const std::exception&) {
    return false;
  }
}

std::filesystem::path DiskCache::entry(const Hash& key, std::string_view kind) const {
  return folder_ / (key.hex() + "." + std::string(kind));
}

}  // namespace proxima::jit
