#include <string_view>

#include "compiler/support/error.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

void write_vtu_alone(const std::filesystem::path& file, const Mesh& mesh) {
  std::vector<double> positions;
  for (const auto& x : mesh.nodes) positions.insert(positions.end(), x.begin(), x.end());
  write_vtu(file, mesh, positions, {}, {});
}

struct Format {
  std::string_view extension;
  void (*write)(const std::filesystem::path&, const Mesh&);
};
constexpr Format kFormats[] = {
    {".msh", write_msh}, {".vtu", write_vtu_alone}, {".vtk", write_vtk}, {".obj", write_obj}};

}  // namespace

void write(const std::filesystem::path& file, const Mesh& mesh) {
  std::string known;
  for (const auto& format : kFormats) {
    if (format.extension == file.extension().string()) return format.write(file, mesh);
    known += fmt::format(" {}", format.extension);
  }
  fail("{}: the name should end in one of{} (which format is written follows from that)", file.string(), known);
}

}  // namespace proxima::mesh
