// Where bytes that nobody vouches for come into the program: the scene, tables of markers and each mesh format. The
// fuzzers and the replay of their corpus feed the same functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace proxima::fuzz {

struct Target {
  std::string_view name;  // of its folder in tests/fuzz/corpus
  // Reads the bytes, and makes of them a mesh fit for simulation or a model. Ends in a result ("") or in a
  // proxima::Error, whose message it returns; anything else is a fault.
  std::string (*feed)(std::string_view bytes);
};

std::span<const Target> targets();

}  // namespace proxima::fuzz
