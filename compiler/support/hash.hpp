// 128-bit content hash for cache keys and checksums (XXH3). Not for security.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace proxima {

struct Hash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash&) const = default;
  std::string hex() const;  // 32 lower-case digits
};

Hash hash_bytes(std::string_view bytes);

}  // namespace proxima
