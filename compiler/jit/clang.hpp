// An author's C++ file to an object file, with Clang inside this process. The language's headers are part of the
// program; system headers are used where the machine has them and a file asks for them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::jit {

struct CompiledSource {
  enum class Outcome { compiled, refused, crashed };  // crashed: a defect of Clang that this file meets
  Outcome outcome = Outcome::refused;
  std::string messages;                        // Clang's own, without a newline at the end
  std::string object;                          // runs the file's static initialisers when material_entry is called
  std::vector<std::filesystem::path> headers;  // all it included, but for the language's own
};

// The function, of type void(), that a compiled source defines.
inline constexpr const char* material_entry = "proxima_material_entry";

// `text` is the file's content; `file` names it in messages and is where relative includes start from. One compilation
// at a time; other threads wait.
CompiledSource compile_source(const std::filesystem::path& file, std::string_view text);

// All that decides the outcome besides the file and the headers it includes: part of every cache key.
std::string source_compiler_version();

}  // namespace proxima::jit
