// Base64 (RFC 4648, section 4) of an array of numbers as it lies in memory, little-endian. Internal to the room.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace proxima::report {

std::string base64(std::span<const std::byte> bytes);

template <class Number>
std::string base64(const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little);
  return base64(std::as_bytes(std::span(numbers)));
}

}  // namespace proxima::report
