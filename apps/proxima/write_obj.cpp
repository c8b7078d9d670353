#include "apps/proxima/write_obj.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "compiler/support/file.hpp"

namespace proxima::app {

void write_obj(const std::filesystem::path& file, const Surface& surface, std::span<const double> positions) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const auto node : surface.nodes) {
    const double* x = &positions[3 * static_cast<std::size_t>(node)];
    fmt::format_to(out, "v {} {} {}\n", x[0], x[1], x[2]);
  }
  for (const auto& [a, b, c] : surface.triangles) fmt::format_to(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
  for (const auto& [a, b] : surface.lines) fmt::format_to(out, "l {} {}\n", a + 1, b + 1);
  write_file(file, text);
}

}  // namespace proxima::app
