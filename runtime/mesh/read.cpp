#include <algorithm>
#include <cctype>
#include <string_view>

#include "compiler/support/error.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/mesh/readers.hpp"

namespace proxima::mesh {
namespace {

struct Format {
  std::string_view extension;
  Mesh (*read)(const std::filesystem::path&);
};

constexpr Format kFormats[] = {
    {".msh", read_msh}, {".vtk", read_legacy_vtk}, {".vtu", read_vtu}, {".node", read_tetgen}, {".ele", read_tetgen},
};

}  // namespace

Mesh read(const std::filesystem::path& file) {
  auto extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  std::string known;
  for (const auto& format : kFormats) {
    if (format.extension == extension) return format.read(file);
    known += fmt::format(" {}", format.extension);
  }
  fail("{}: the name should end in one of{} (which format it is follows from that)", file.string(), known);
}

}  // namespace proxima::mesh
