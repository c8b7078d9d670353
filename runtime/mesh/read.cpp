#include <algorithm>
#include <cctype>
#include <string_view>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"
#include "runtime/mesh/readers.hpp"

namespace proxima::mesh {
namespace {

namespace fs = std::filesystem;

template <Mesh (*reader)(const std::string&, std::string_view)>
Mesh read_one(const fs::path& file) {
  return reader(file.string(), read_regular_file(file));
}

// The file of the pair that has `extension`, when the other one or this one is `given`.
std::string read_half(const fs::path& given, const fs::path& half) {
  std::error_code ignored;
  if (!fs::exists(given, ignored)) return read_regular_file(given);  // its complaint names what the user named
  if (!fs::exists(half, ignored)) {
    fail("{}: its partner {} is missing; TetGen's meshes are a .node and an .ele file", given.string(), half.string());
  }
  return read_regular_file(half);
}

Mesh read_pair(const fs::path& file) {
  auto node = file, ele = file;
  node.replace_extension(".node");
  ele.replace_extension(".ele");
  const auto nodes = read_half(file, node), elements = read_half(file, ele);
  return read_tetgen({node.string(), ele.string(), nodes, elements});
}

struct Format {
  std::string_view extension;
  Mesh (*read)(const fs::path&);
};

constexpr Format kFormats[] = {
    {".msh", read_one<read_msh>}, {".vtk", read_one<read_legacy_vtk>},
    {".vtu", read_one<read_vtu>}, {".node", read_pair},
    {".ele", read_pair},          {".obj", read_one<read_obj>},
    {".stl", read_one<read_stl>},
};

}  // namespace

Mesh read(const fs::path& file) {
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
