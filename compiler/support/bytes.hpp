// Values as bytes in a row, and back: for files with checksums and for messages between processes of one build. Numbers
// keep the machine's format, which is little-endian.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compiler/support/error.hpp"
#include "compiler/support/hash.hpp"

namespace proxima {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::size_t checksum_size = 16;

class Packer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void put(std::span<const double> values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void put(std::string_view text) { bytes_.append(text); }
  // With the number of entries before them.
  void put_counted(std::span<const double> values) {
    put(static_cast<std::uint64_t>(values.size()));
    put(values);
  }
  void put_counted(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    put(text);
  }

  std::string bytes() && { return std::move(bytes_); }
  std::string sealed() && {  // with a checksum at the end
    const Hash checksum = hash_bytes(bytes_);
    put(checksum.high);
    put(checksum.low);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

template <class T>
T take(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

// Whether sealed bytes are as they were written. There must be at least a checksum.
inline bool intact(std::string_view bytes) {
  const std::size_t body = bytes.size() - checksum_size;
  const Hash stored{take<std::uint64_t>(bytes, body), take<std::uint64_t>(bytes, body + 8)};
  return stored == hash_bytes(bytes.substr(0, body));
}

// Reads what a Packer wrote. Throws Error where the bytes end too soon.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }
  template <class T>
  T get() {
    return take<T>(cut(sizeof(T)), 0);
  }
  std::vector<double> get_doubles() {
    const auto bytes = cut_counted(sizeof(double));
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string get_text() { return std::string(cut_counted(1)); }

 private:
  std::string_view cut(std::size_t size) {
    if (size > rest_.size()) fail("{} bytes are missing", size - rest_.size());
    const auto result = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return result;
  }
  std::string_view cut_counted(std::size_t entry) {
    const auto count = get<std::uint64_t>();
    if (count > rest_.size() / entry) fail("{} entries are missing", count - rest_.size() / entry);
    return cut(count * entry);
  }

  std::string_view rest_;
};

}  // namespace proxima
