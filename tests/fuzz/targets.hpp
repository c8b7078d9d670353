// Where bytes that nobody vouches for come into the program: the scene and each mesh format. The fuzzers and the replay
// of their corpus feed the same functions.
#pragma once

#include <span>
#include <string_view>

namespace proxima::fuzz {

struct Target {
  std::string_view name;  // of its folder in tests/fuzz/corpus
  // Reads the bytes, and makes a mesh of them fit for simulation. Ends in a result or a proxima::Error, which is
  // caught; anything else is a fault.
  void (*feed)(std::string_view bytes);
};

std::span<const Target> targets();

}  // namespace proxima::fuzz
