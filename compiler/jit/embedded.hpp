// The language's headers as part of the program, so that it needs no folder of them where it runs. Written by
// cmake/ProximaEmbed.cmake from compiler/dsl/include.
#pragma once

#include <span>
#include <string_view>

namespace proxima::jit {

struct EmbeddedFile {
  std::string_view name;  // "proxima/dsl.hpp"
  std::string_view text;
};

std::span<const EmbeddedFile> language_headers();

// Hash of the headers above and of the sources that decide what graph a material file becomes.
std::string_view language_fingerprint();

}  // namespace proxima::jit
