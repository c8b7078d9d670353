#include <fmt/ranges.h>

#include <array>
#include <iterator>

#include "compiler/support/error.hpp"
#include "compiler/support/file.hpp"
#include "runtime/mesh/mesh.hpp"

namespace proxima::mesh {
namespace {

Elements surface_of(const Mesh& mesh) {
  auto triangles = elements(mesh, Shape::triangle);
  const auto boundary = boundary_triangles(mesh);
  triangles.nodes.insert(triangles.nodes.end(), boundary.nodes.begin(), boundary.nodes.end());
  return triangles;
}

}  // namespace

void write_obj(const std::filesystem::path& file, const Mesh& mesh) {
  const auto triangles = surface_of(mesh);
  const auto& edges = elements(mesh, Shape::edge);
  std::vector<std::int32_t> numbers(mesh.nodes.size(), 0);  // from 1; 0: not used
  for (const auto* elements : {&triangles, &edges})
    for (const auto node : elements->nodes) numbers.at(static_cast<std::size_t>(node)) = 1;

  std::string text;
  const auto put = std::back_inserter(text);
  std::int32_t written = 0;
  for (std::size_t node = 0; node < numbers.size(); ++node) {
    if (numbers[node] == 0) continue;
    numbers[node] = ++written;
    fmt::format_to(put, "v {}\n", fmt::join(mesh.nodes[node], " "));
  }
  for (const auto& [elements, word] : {std::pair{&triangles, 'f'}, {&edges, 'l'}})
    for (std::size_t e = 0; e < elements->count(); ++e) {
      text += word;
      for (const auto node : elements->of(e)) fmt::format_to(put, " {}", numbers[static_cast<std::size_t>(node)]);
      text += '\n';
    }
  write_file(file, text);
}

}  // namespace proxima::mesh
