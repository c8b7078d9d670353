#include "compiler/support/hash.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace proxima {

std::string Hash::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash hash_bytes(std::string_view bytes) {
  const XXH128_hash_t value = XXH3_128bits(bytes.data(), bytes.size());
  return {value.high64, value.low64};
}

}  // namespace proxima
